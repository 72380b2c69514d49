import { existsSync } from 'node:fs';
import { StoreUnavailable } from '@broadsheet/core';
import { isDeployment, type ManagedStore, OperationError, type ServerStore } from '@broadsheet/management';
import type { StoreOptions } from '@broadsheet/management/node';
import { DatabaseTooNew, NotOurs } from '@broadsheet/store';
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
 * @throws OperationError when it cannot be opened; it is only made, or given tables, when `create` is set.
 */
export async function withStore<T>(
  flags: DatabaseFlag,
  { create = false }: { create?: boolean },
  work: (store: ManagedStore) => Promise<T>,
): Promise<T> {
  const url = urlOf(flags);
  return using(url, isDeployment(url) ? await openDeployment(url) : await openDatabase(url, { create }), work);
}

/** The same for what a deployment elsewhere does not have. @throws OperationError for one of those, too */
export async function withOwnStore<T>(flags: DatabaseFlag, work: (store: ServerStore) => Promise<T>): Promise<T> {
  const url = urlOf(flags);
  return using(url, await openDatabase(url, { create: false }), work);
}

function urlOf(flags: DatabaseFlag): string {
  const problems: string[] = [];
  const url = readDatabase(flags.database, process.env, problems);
  if (problems.length > 0) throw new OperationError(problems);
  return url;
}

async function using<Store extends ManagedStore, T>(
  url: string,
  store: Store,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  try {
    return await work(store);
  } catch (error) {
    throw error instanceof StoreUnavailable ? unusable(url, error) : error;
  } finally {
    await store.close();
  }
}

/** Reaches a deployment with errors an operator can act upon. @throws OperationError */
export async function openDeployment(url: string): Promise<ManagedStore> {
  const { openRemoteStore } = await import('@broadsheet/management');
  try {
    return await openRemoteStore(url, process.env['BROADSHEET_ADMIN_TOKEN']);
  } catch (error) {
    throw error instanceof StoreUnavailable ? unusable(url, error) : error;
  }
}

/** Opens a database with errors an operator can act upon. @throws OperationError */
export async function openDatabase(url: string, options: StoreOptions & { create: boolean }): Promise<ServerStore> {
  if (isDeployment(url)) {
    throw new OperationError(
      `${url} is a deployment, not a database: it serves itself and has no panel. Give sqlite:PATH or postgres://….`,
    );
  }
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (!options.create && file !== undefined && file !== ':memory:' && !existsSync(file)) {
    throw new OperationError(
      `There is no database at ${file}; name it with --database, or make it with "broadsheet import".`,
    );
  }
  const { openStore } = await import('@broadsheet/management/node');
  try {
    return await openStore(url, options);
  } catch (error) {
    if (error instanceof DatabaseTooNew) throw new OperationError(error.message);
    if (error instanceof NotOurs) throw new OperationError(notOurs(withoutPassword(url), options.create));
    throw unusable(url, error);
  }
}

function notOurs(url: string, create: boolean): string {
  if (create)
    return `The database ${url} has tables of another program; give Broadsheet one of its own, by --database.`;
  const fix = 'name another with --database, or make a blog in it with "broadsheet import"';
  return `There is nothing of Broadsheet in the database ${url}; ${fix}.`;
}
