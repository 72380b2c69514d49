import type { DatabaseSync } from 'node:sqlite';
import type { Changes } from '../changes.ts';

/** SQLite changes this number on a connection whenever another one, here or in another process, has committed. */
export function watchDataVersion(connection: DatabaseSync): Changes {
  const statement = connection.prepare('pragma data_version');
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return {
    epoch() {
      if (known === undefined) {
        known = Number(statement.get()?.['data_version']);
        // Requests that arrive in one turn of the event loop share one look.
        setImmediate(forget);
      }
      return known;
    },
    // Nobody says what was written.
    listen: () => {},
  };
}
