import { TOKEN_TTL } from '../delivery/limits.ts';

/**
 * Clicks whose registration is not confirmed, kept over page changes of the tab in `sessionStorage`, one entry each.
 * Every token is single use, so posting an entry again cannot count twice.
 */
export interface Journal {
  add(clickToken: string): void;
  remove(clickToken: string): void;
  /** Tokens of earlier pages that are still worth posting; those that are not are forgotten. */
  pending(): string[];
}

/** @param name One journal per API and key, so that two blogs on a page do not post each other's tokens. */
export function openJournal(name: string): Journal {
  const prefix = `broadsheet:click:${name}:`;
  const opened = Date.now();
  const attempt = (change: () => void): void => {
    try {
      change();
    } catch {
      // Storage is forbidden or full: the journal is empty then; the click itself is not affected.
    }
  };
  const remove = (clickToken: string): void => attempt(() => sessionStorage.removeItem(prefix + clickToken));
  return {
    add: (clickToken) => attempt(() => sessionStorage.setItem(prefix + clickToken, `${Date.now()}`)),
    remove,
    pending() {
      const found: string[] = [];
      attempt(() => {
        for (const [key, at] of Object.entries<string>(sessionStorage)) {
          const clickToken = key.slice(prefix.length);
          if (key !== prefix + clickToken) continue;
          if (opened - Number(at) > TOKEN_TTL * 1000) remove(clickToken);
          else if (Number(at) <= opened) found.push(clickToken);
        }
      });
      return found;
    },
  };
}
