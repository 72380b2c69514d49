import type { Transport } from '../delivery/creative.ts';

/** The results of the clicks of this page. `posted` minus the other counts is the number in flight. */
export interface ClickReceipts {
  posted: number;
  /** Counted by the API; a 409 means that it was counted before. */
  confirmed: number;
  /** Followed after the token's ten minutes: the link worked, but the click is not counted. */
  expired: number;
  /** Refused for another reason, usually 403: the page's origin is not the blog's domain. */
  refused: number;
  /** Could not be sent yet: retried by this page and the next. */
  readonly unsent: number;
}

/** The clicks of one client. */
export interface PostedClicks {
  readonly receipts: Omit<ClickReceipts, 'unsent'>;
  readonly transport: Transport;
  /**
   * The key in `sessionStorage` of the journal: unconfirmed clicks, one line each with time and token. Every token is
   * single use, so posting one again cannot count twice.
   */
  readonly journal: string;
  /** When this page opened the journal, milliseconds since 1970: later entries are its own. */
  readonly opened: number;
  /** Tokens waiting to be posted again. */
  readonly unsent: Set<string>;
  /** Called when a click will not be counted. */
  report(cause: unknown): void;
}
