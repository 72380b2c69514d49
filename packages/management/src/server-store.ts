import {
  createSqlStore,
  type Database,
  type OperatorStore,
  type SqlStore,
  type TransactOptions,
} from '@broadsheet/store';
import { createUploadStore, type UploadStore } from './imports/uploads.ts';
import { createPeopleStore, type PeopleStore } from './people/people.ts';
import { createTokenStore, type TokenStore } from './tokens/tokens.ts';

/** The methods that commands use: on the database of a server, or in one transaction of it. */
export interface CommandStore extends OperatorStore, PeopleStore, TokenStore, UploadStore {}

/** The store of a server: its blogs, the people who manage them in the panel, and the tokens that open `/manage`. */
export interface ServerStore extends Omit<SqlStore, 'transact'>, PeopleStore, TokenStore, UploadStore {
  /** Opens another store over the same database, even in another thread; absent for a store in memory. */
  readonly databaseUrl?: string;
  /** The time limit with which this store was opened, for further stores over the same database; see `StoreOptions`. */
  readonly statementTimeout?: number | undefined;
  /** Runs work in one transaction, which is rolled back if the work rejects. */
  transact<T>(work: (store: CommandStore) => Promise<T>, options?: TransactOptions): Promise<T>;
}

/** The store over a database that is open and up to date; see `createSqlStore`. */
export function createServerStore(...[database, ...more]: Parameters<typeof createSqlStore>): ServerStore {
  const store = createSqlStore(database, ...more);
  return {
    ...extended(store, database),
    transact: (work, options) => store.transact((within, inner) => work(extended(within, inner)), options),
  };
}

const extended = <Store extends OperatorStore>(store: Store, database: Database) => ({
  ...store,
  ...createPeopleStore(database),
  ...createTokenStore(database),
  ...createUploadStore(database, store),
});
