export { sqlCopyEnd } from './copy/sql-copy-end.ts';
export { openDatabase, type StoreOptions } from './open-database.ts';

/** Loads what concerns the files of SQLite, which processes on PostgreSQL do not need. */
export const sqliteFiles = () => import('./sqlite/files.ts');
