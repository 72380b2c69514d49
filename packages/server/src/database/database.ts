import { existsSync } from 'node:fs';
import { isRemote, OperationError, type ServerStore } from '@broadsheet/management';
import type { StoreOptions } from '@broadsheet/management/node';
import { DatabaseTooNew, NotOurs } from '@broadsheet/store';
import { note } from '../program/output.ts';
import { readDatabase, withoutPassword } from '../settings/database-url.ts';
import { readStatementTimeout, webAddress } from '../settings/settings.ts';
import { unusable } from './unusable.ts';

/** The flag that all commands on a database have. */
export interface DatabaseFlag {
  readonly database?: string | undefined;
}

/** The flags that most commands on a database have. */
export interface CommandFlags extends DatabaseFlag {
  readonly json?: boolean;
}

/** The URL of a server that was started without arguments. */
const DEFAULT_SERVER = 'http://127.0.0.1:4500';

/** The URL under which readers find the images of a database. @throws OperationError */
export function publicUrlOf(flags: DatabaseFlag): string {
  const url = urlOf(flags);
  const problems: string[] = [];
  const publicUrl = webAddress('PUBLIC_URL', process.env, problems);
  if (problems.length > 0) throw new OperationError(problems);
  return publicUrl ?? (isRemote(url) ? url : DEFAULT_SERVER);
}

/** Explains the URLs of images if they are those of a server on this machine. */
export function notePublicUrl(publicUrl: string): void {
  if (publicUrl !== DEFAULT_SERVER) return;
  const move = `"broadsheet media move ${DEFAULT_SERVER} https://…" changes it later`;
  note(`note: images get URLs below ${DEFAULT_SERVER}, because PUBLIC_URL is not set; ${move}`);
}

export function urlOf(flags: DatabaseFlag): string {
  const problems: string[] = [];
  const url = readDatabase(flags.database, process.env, problems);
  if (problems.length > 0) throw new OperationError(problems);
  return url;
}

/** Opens a database, with errors that an operator can act on. @throws OperationError */
export async function openDatabase(
  url: string,
  { dryRun = false, ...options }: StoreOptions & { create: boolean; dryRun?: boolean },
): Promise<ServerStore> {
  if (isRemote(url)) {
    throw new OperationError(
      `${url} is a remote server, not a database: run this command on its machine, with sqlite:PATH or postgres://….`,
    );
  }
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  const problems: string[] = [];
  const statementTimeout = readStatementTimeout(process.env, problems);
  if (problems.length > 0) throw new OperationError(problems);
  const { openStore } = await import('@broadsheet/management/node');
  if (!options.create && file !== undefined && file !== ':memory:' && !existsSync(file)) {
    if (dryRun) return openStore('sqlite::memory:');
    throw new OperationError(
      `There is no database at ${file}; name it with --database, or create it with "broadsheet import".`,
    );
  }
  try {
    return await openStore(url, {
      statementTimeout,
      ...options,
      secret: process.env['BROADSHEET_SECRET'] || undefined,
    });
  } catch (error) {
    if (error instanceof DatabaseTooNew) throw new OperationError(error.message);
    if (error instanceof NotOurs && error.isEmpty && dryRun) return openStore('sqlite::memory:');
    if (error instanceof NotOurs) throw new OperationError(notOurs(withoutPassword(url), options.create));
    throw unusable(url, error);
  }
}

function notOurs(url: string, create: boolean): string {
  if (create)
    return `The database ${url} has tables of another program; name a separate database for Broadsheet with --database.`;
  const fix = 'name another with --database, or create a blog in it with "broadsheet import"';
  return `The database ${url} has no Broadsheet tables; ${fix}.`;
}
