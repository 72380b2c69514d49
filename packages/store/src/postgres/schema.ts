import type { SchemaDialect } from '../migrations.ts';
import { CHANGES_SCHEMA } from './changes.ts';
import { SEARCH_SCHEMA } from './search.ts';

/** The schema in the dialect of PostgreSQL. */
export const POSTGRES_SCHEMA: SchemaDialect = {
  text: 'text collate "C"',
  bigint: 'bigint',
  blob: 'bytea',
  clustered: '',
  statements: [...SEARCH_SCHEMA, ...CHANGES_SCHEMA],
};
