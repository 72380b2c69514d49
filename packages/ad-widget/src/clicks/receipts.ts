import type { Transport } from '../delivery/creative.ts';

/** What became of the clicks of this page. `posted` minus the others are in flight. */
export interface ClickReceipts {
  posted: number;
  /** Counted by the API, also when it says so with a 409. */
  confirmed: number;
  /** Followed after the token's ten minutes: the reader got there, the click is not counted. */
  expired: number;
  /** Refused for another reason, usually 403: the page's origin is not the blog's domain. */
  refused: number;
  /** Could not be sent yet: tried again in this page, and on the next one. */
  readonly unsent: number;
}

/** The clicks of one client. */
export interface PostedClicks {
  readonly receipts: Omit<ClickReceipts, 'unsent'>;
  readonly transport: Transport;
  /**
   * The key in `sessionStorage` of the journal: clicks that are not confirmed, a line with time and token each. Every
   * token is single use, so posting one again cannot count twice.
   */
  readonly journal: string;
  /** When this page opened the journal, milliseconds since 1970: later entries are its own. */
  readonly opened: number;
  /** Tokens that wait to be posted again. */
  readonly unsent: Set<string>;
  /** Called when a click will not be counted. */
  report(cause: unknown): void;
}
