import { newApiKey } from '@broadsheet/store';
import { type DatabaseFlag, requireBlog, withStore } from '../database/database.ts';
import { print, printJson } from '../program/output.ts';
import { Refusal } from '../program/refusal.ts';
import { table } from '../program/table.ts';

type Flags = DatabaseFlag & { readonly json?: boolean };

/** `broadsheet keys list BLOG` */
export async function listKeys(blog: string, flags: Flags): Promise<void> {
  const keys = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return store.listKeys(blog);
  });
  if (flags.json) printJson(keys);
  else
    print(
      table(
        ['KEY', 'CREATED', 'REVOKED'],
        keys.map(({ id, createdAt, revokedAt }) => [id, createdAt, revokedAt ?? '-']),
      ),
    );
}

/** `broadsheet keys rotate BLOG` */
export async function rotateKey(blog: string, flags: Flags): Promise<void> {
  const apiKey = newApiKey();
  await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    await store.rotateKey(blog, apiKey, Date.now());
  });
  if (flags.json) printJson({ blog, apiKey });
  else
    print(
      `The keys ${blog} had are revoked: every server refuses them within a second.\nAPI key of ${blog}, shown this once: ${apiKey}`,
    );
}

/** `broadsheet keys revoke BLOG [KEY]` */
export async function revokeKeys(
  blog: string,
  key: string | undefined,
  flags: Flags & { readonly all?: boolean },
): Promise<void> {
  if ((key === undefined) === !flags.all) {
    throw new Refusal('Give either the id of a key ("broadsheet keys list" shows them) or --all.');
  }
  const revoked = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    return store.revokeKeys(blog, key, Date.now());
  });
  if (key !== undefined && revoked === 0) {
    throw new Refusal(
      `${blog} has no valid key with the id ${JSON.stringify(key)}; "broadsheet keys list ${blog}" shows those it has.`,
    );
  }
  if (flags.json) printJson({ blog, revoked });
  else print(`Revoked ${revoked} ${revoked === 1 ? 'key' : 'keys'} of ${blog}.`);
}
