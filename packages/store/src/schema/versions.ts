import type { Db } from '../sql.ts';
import { type SchemaDialect, schemaHash } from './schema.ts';

/** A version of the schema. */
interface SchemaVersion {
  /** The releases of Broadsheet that write it. */
  readonly release: string;
  /** The hashes of its statements; see `schemaHash`. The first version stored none. */
  readonly hashes?: Readonly<Record<SchemaDialect['engine'], string>>;
}

/**
 * The versions of the schema, from 1 on. The hashes of a version that was released never change: to change a table
 * after that, add a version. See "A table" in CONTRIBUTING.md.
 */
export const SCHEMA_VERSIONS: readonly SchemaVersion[] = [
  { release: '0.1.0 from before 28 November 2026' },
  {
    release: '0.1.0',
    hashes: {
      SQLite: '5d9cdac2fc7fa40eed81cd2693f6496505a3ca9af94ada1fe2ed54cf95dd4c66',
      PostgreSQL: 'f411693b5e1c2ad6c2ae422cd93d2cf401cef810eb3e43d0e6c0c0f5f3ad39f7',
    },
  },
];

/** The version that this program writes. */
export const SCHEMA_VERSION = SCHEMA_VERSIONS.length;

/** Thrown if a database was written by a newer version of Broadsheet. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

/** Thrown if a database has the number of a known version of the schema, but other tables. */
export class UnknownSchema extends Error {
  override readonly name = 'UnknownSchema';
}

/** The version of a database as it is stored; the first version has a number only. */
interface StoredVersion {
  readonly version: number;
  readonly hash?: string | null;
  readonly release?: string | null;
}

/** Reads the version of a database that has the table `schema_version`; `undefined` for a new one. */
export const readVersion = async (db: Db): Promise<StoredVersion | undefined> =>
  (await db<StoredVersion>`select * from schema_version`)[0];

/**
 * Refuses a version that this program cannot read, before anything is written.
 *
 * @throws DatabaseTooNew
 * @throws UnknownSchema
 */
export async function requireKnown(stored: StoredVersion, dialect: SchemaDialect): Promise<void> {
  const { version, hash, release } = stored;
  const known = SCHEMA_VERSIONS[version - 1];
  if (version > SCHEMA_VERSION || !known) {
    throw new DatabaseTooNew(
      `Broadsheet ${release ?? 'of a later release'} wrote the database with schema version ${version}; this Broadsheet ` +
        `supports up to ${SCHEMA_VERSION}: start the newer Broadsheet that wrote it, or choose another database. ` +
        'The database was not changed.',
    );
  }
  const expected = version === SCHEMA_VERSION ? await schemaHash(dialect) : known.hashes?.[dialect.engine];
  if ((hash ?? undefined) === expected) return;
  throw new UnknownSchema(
    `A build of Broadsheet ${release ?? known.release} wrote the database with schema version ${version}, but its tables ` +
      `are not those of that version (its hash is ${hash?.slice(0, 12) ?? 'missing'}, expected ` +
      `${expected?.slice(0, 12) ?? 'none'}): start the build that wrote it and export its blogs with "broadsheet export", ` +
      'or restore a backup of a released version. The database was not changed.',
  );
}

/** Stores the version that this program writes. */
export async function writeVersion(db: Db, dialect: SchemaDialect): Promise<void> {
  await db`drop table if exists schema_version`;
  await db([
    'create table schema_version (version integer not null primary key, hash text not null, release text not null)',
  ]);
  await db`insert into schema_version (version, hash, release)
    values (${SCHEMA_VERSION}, ${await schemaHash(dialect)}, ${SCHEMA_VERSIONS.at(-1)?.release})`;
}
