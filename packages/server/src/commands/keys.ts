import {
  createKey as create,
  listKeys as list,
  OperationError,
  revokeKeys as revoke,
  rotateKeys as rotate,
} from '@broadsheet/management';
import { type CommandFlags, withStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

export async function listKeys(blog: string, flags: CommandFlags): Promise<void> {
  const keys = await withStore(flags, {}, (store) => list(store, blog));
  const rows = keys.map(({ id, createdAt, revokedAt }) => [id, createdAt, revokedAt ?? '-']);
  printResult(flags, keys, table(['KEY', 'CREATED', 'REVOKED'], rows));
}

export async function createKey(blog: string, flags: CommandFlags): Promise<void> {
  const { id, apiKey } = await withStore(flags, {}, (store) => create(store, blog, Date.now()));
  printResult(
    flags,
    { blog, id, apiKey },
    `Added the key ${id}; existing keys of ${blog} still work.\nAPI key of ${blog}, shown only once: ${apiKey}`,
  );
}

export async function rotateKey(blog: string, flags: CommandFlags): Promise<void> {
  const { id, apiKey } = await withStore(flags, {}, (store) => rotate(store, blog, Date.now()));
  const revoked = `The previous keys of ${blog} are revoked: every server refuses them within a second.`;
  printResult(flags, { blog, id, apiKey }, `${revoked}\nAPI key of ${blog}, shown only once: ${apiKey}`);
}

export async function revokeKeys(
  blog: string,
  key: string | undefined,
  flags: CommandFlags & { readonly all?: boolean },
): Promise<void> {
  if ((key === undefined) === !flags.all) {
    throw new OperationError('Give either the id of a key ("broadsheet keys list" shows them) or --all.');
  }
  const revoked = await withStore(flags, {}, (store) => revoke(store, blog, key, Date.now()));
  printResult(flags, { blog, revoked }, `Revoked ${revoked} ${revoked === 1 ? 'key' : 'keys'} of ${blog}.`);
}
