export { sqlCopyEnd } from './copy/sql-copy-end.ts';
export { openDatabase, type StoreOptions } from './open-database.ts';
export { openStore } from './open-store.ts';
export type { Runtime } from './runtime.ts';

/** Loads the code for SQLite files, which processes on PostgreSQL do not need. */
export const sqliteFiles = () => import('./sqlite/files.ts');
