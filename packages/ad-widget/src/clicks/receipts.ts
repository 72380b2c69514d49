import type { Transport } from '../delivery/transport.ts';

/** What became of the clicks of this page. `posted` minus the others are under way. */
export interface ClickReceipts {
  posted: number;
  /** Counted by the API, also when it says so with a 409. */
  confirmed: number;
  /** Followed after the token's ten minutes: the reader got there, the click is not counted. */
  expired: number;
  /** Refused for another reason, usually 403: the page's origin is not the blog's domain. */
  refused: number;
  /** Could not be sent yet: tried again in this page, and on the next one. */
  unsent: number;
}

/** The clicks of one client. */
export interface Clicks {
  readonly receipts: ClickReceipts;
  readonly transport: Transport;
  /**
   * What the names of the journal's entries begin with: clicks that are not confirmed, in `sessionStorage`, one entry
   * each. Every token is single use, so posting an entry again cannot count twice.
   */
  readonly prefix: string;
  /** When this page opened the journal, milliseconds since 1970: later entries are its own. */
  readonly opened: number;
  /** A click will not be counted. */
  report(cause: unknown): void;
}
