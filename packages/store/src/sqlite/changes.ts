import type { Changes } from '../database.ts';
import type { Connection } from './driver.ts';

/** SQLite changes this number on a connection whenever another one, here or in another process, has committed. */
export function watchDataVersion(connection: Connection): Changes {
  const statement = connection.prepare('pragma data_version');
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return {
    epoch() {
      if (known === undefined) {
        known = (statement.all([]) as { data_version: number }[])[0]?.data_version ?? 0;
        // Requests that arrive in one turn of the event loop share one look.
        setImmediate(forget);
      }
      return known;
    },
    // Nobody says what was written.
    listen: () => {},
  };
}
