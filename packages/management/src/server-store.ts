import { createSqlStore, type SqlStore } from '@broadsheet/store';
import { createPeopleStore, type PeopleStore } from './people/people.ts';
import { createImportParts, type ImportParts } from './remote/import-parts.ts';
import { createTokenStore, type TokenStore } from './tokens/tokens.ts';

/** The store of a server: its blogs, the people who manage them in the panel, and the tokens that open `/manage`. */
export interface ServerStore extends SqlStore, PeopleStore, TokenStore, ImportParts {
  /** Opens another store over the same database, also in another thread; a store in memory has none. */
  readonly databaseUrl?: string;
}

/** The store over a database that is open and up to date; see `createSqlStore`. */
export function createServerStore(...[database, ...more]: Parameters<typeof createSqlStore>): ServerStore {
  const store = createSqlStore(database, ...more);
  return {
    ...store,
    ...createPeopleStore(database),
    ...createTokenStore(database),
    ...createImportParts(database, store),
  };
}
