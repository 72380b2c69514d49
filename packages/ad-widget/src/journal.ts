import { TOKEN_TTL } from './limits.ts';

type Entry = readonly [clickToken: string, at: number];

/**
 * Clicks whose registration is not confirmed, kept over page changes of the tab in `sessionStorage`. Every token is
 * single use, so posting an entry again cannot count twice.
 */
export interface Journal {
  add(clickToken: string): void;
  remove(clickToken: string): void;
  /** Tokens that are still worth posting. */
  pending(): string[];
}

/** @param name One journal per API and key, so that two blogs on a page do not post each other's tokens. */
export function openJournal(name: string): Journal {
  const key = `broadsheet:clicks:${name}`;
  const read = (): Entry[] => {
    try {
      const stored: Entry[] = JSON.parse(sessionStorage.getItem(key) ?? '[]');
      return stored.filter(([, at]) => Date.now() - at < TOKEN_TTL * 1000);
    } catch {
      return []; // Storage is forbidden, or holds something that is not ours.
    }
  };
  const write = (entries: Entry[]): void => {
    try {
      if (entries.length) sessionStorage.setItem(key, JSON.stringify(entries));
      else sessionStorage.removeItem(key);
    } catch {
      // Without storage the journal is empty; the click itself is not affected.
    }
  };
  const without = (clickToken: string): Entry[] => read().filter(([token]) => token !== clickToken);
  return {
    add: (clickToken) => write([...without(clickToken), [clickToken, Date.now()]]),
    remove: (clickToken) => write(without(clickToken)),
    pending: () => read().map(([token]) => token),
  };
}
