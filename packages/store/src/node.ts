export { sqlCopyEnd } from './copy/sql-copy-end.ts';
export { openDatabase, type StoreOptions } from './open-database.ts';
