import { existsSync } from 'node:fs';
import { StoreUnavailable } from '@broadsheet/core';
import { DatabaseTooNew, NotOurs, Refusal, type ServerStore, type StoreOptions } from '@broadsheet/store';
import { readDatabase, withoutPassword } from '../settings/database-url.ts';
import { unusable } from './unusable.ts';

/** The flag that every command on a database has. */
export interface DatabaseFlag {
  readonly database?: string | undefined;
}

/** The flags that nearly every command on a database has. */
export interface CommandFlags extends DatabaseFlag {
  readonly json?: boolean;
}

/**
 * Opens the database, hands its store to `work`, and closes it whatever happens.
 *
 * @throws Refusal when it cannot be opened; it is only made, or given tables, when `create` is set.
 */
export async function withStore<T>(
  flags: DatabaseFlag,
  { create = false }: { create?: boolean },
  work: (store: ServerStore) => Promise<T>,
): Promise<T> {
  const problems: string[] = [];
  const url = readDatabase(flags.database, process.env, problems);
  if (problems.length > 0) throw new Refusal(problems);
  const store = await openDatabase(url, { create });
  try {
    return await work(store);
  } catch (error) {
    throw error instanceof StoreUnavailable ? unusable(url, error) : error;
  } finally {
    await store.close();
  }
}

/** Opens a database with errors an operator can act upon. @throws Refusal */
export async function openDatabase(url: string, options: StoreOptions & { create: boolean }): Promise<ServerStore> {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (!options.create && file !== undefined && file !== ':memory:' && !existsSync(file.replace(/^\/\//, ''))) {
    throw new Refusal(`There is no database at ${file}; name it with --database, or make it with "broadsheet import".`);
  }
  const { openStore } = await import('@broadsheet/store');
  try {
    return await openStore(url, options);
  } catch (error) {
    if (error instanceof DatabaseTooNew) throw new Refusal(error.message);
    if (error instanceof NotOurs) throw new Refusal(notOurs(withoutPassword(url), options.create));
    throw unusable(url, error);
  }
}

function notOurs(url: string, create: boolean): string {
  if (create)
    return `The database ${url} has tables of another program; give Broadsheet one of its own, by --database.`;
  const mend = 'name another with --database, or make a blog in it with "broadsheet import"';
  return `There is nothing of Broadsheet in the database ${url}; ${mend}.`;
}
