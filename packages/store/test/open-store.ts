import { openDatabase, type StoreOptions } from '../src/open-database.ts';
import { createSqlStore, type SqlStore } from '../src/sql-store.ts';

/** The store over the database of a URL. */
export const openStore = async (url: string, options: StoreOptions = {}): Promise<SqlStore> =>
  createSqlStore(await openDatabase(url, options), options.report);
