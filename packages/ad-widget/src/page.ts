/** What all clients of a page share, including those of other copies of this script. */
interface Shared {
  /** The request under way for each API and key. */
  readonly lines: Map<string, Promise<void>>;
  /** Clients that look for slots, in the order they were made. */
  readonly watchers: Set<(host: HTMLElement) => void>;
}

const SHARED = Symbol.for('broadsheet');

/** The state that is shared through the document. */
export function shared(): Shared {
  const page: { [SHARED]?: Shared } = document as object;
  page[SHARED] ??= { lines: new Map(), watchers: new Set() };
  return page[SHARED];
}
