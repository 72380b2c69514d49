/** A page as it is shown. */
export interface View {
  /** For the browser's title bar; the name of the blog is added. */
  readonly title: string;
  readonly node: HTMLElement;
}

/** One visit to an address. */
export interface Visit {
  /** The part of the path that the route leaves open, decoded. */
  readonly name: string;
  readonly query: URLSearchParams;
  /** Aborted when the reader goes elsewhere before the page is there. */
  readonly signal: AbortSignal;
}

/** Loads what a page needs and builds it. */
export type Screen = (visit: Visit) => View | Promise<View>;
