import { codeUnitOrder } from '@broadsheet/core';
import sql from 'sql-template-tag';
import { sha256Hex } from '../blogs/api-key.ts';
import { lockBlog } from '../blogs/blogs.ts';
import type { Database } from '../database.ts';
import { insert } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { isoTime } from './iso-time.ts';

/** The rights of a token. `all` includes the other scopes, and also blogs, domains and API keys. */
export const SCOPES = ['import', 'ads', 'stats', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

/** Milliseconds between two records of the use of a token. */
const MINUTE = 60_000;

/** The tokens of `/manage`. Nothing is cached between calls, so that every process refuses a revoked token at once. */
export function createManagementTokens({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    /** Whether there is a token: without one, `/manage` does not exist. */
    hasTokens: async () => (await reader`select 1 from management_tokens limit 1`).length > 0,
    listTokens: async () =>
      (await reader<TokenRow>`select * from management_tokens`)
        .map(toRecord)
        .sort((a, b) => codeUnitOrder(a.name, b.name)),
    /** Adds a token, of which only a hash is stored, unless its only blog does not exist or its name is taken. */
    createToken: (
      { name, scope, blogId, createdAt, expiresAt }: Omit<TokenRecord, 'usedAt'>,
      token: string,
    ): Promise<'created' | 'taken' | 'no blog'> =>
      transact(async (db) => {
        // The lock prevents a row that is written while the blog is deleted, which would open the next blog with its id.
        if (blogId !== null && !(await lockBlog(db, blogId))) return 'no blog';
        const expires_at = expiresAt === null ? null : Date.parse(expiresAt);
        const row = { token_hash: await sha256Hex(token), name, scope, blog_id: blogId, created_at: createdAt };
        const added = await insert(
          db,
          'management_tokens',
          [{ ...row, expires_at }],
          sql`on conflict do nothing returning name`,
        );
        return added.length > 0 ? 'created' : 'taken';
      }),
    /** Removes a token, and returns it; `undefined` if no token has this name. */
    revokeToken: (name: string) =>
      transact(async (db) => {
        const [row] = await db<TokenRow>`delete from management_tokens where name = ${name} returning *`;
        return row && { name, blogId: row.blog_id };
      }),
    /** The sender of a token, if it is valid now. Its last use is recorded at most once a minute. */
    async findToken(token: string, now: number) {
      const hash = await sha256Hex(token);
      const [row] = await reader<TokenRow>`select * from management_tokens where token_hash = ${hash}`;
      if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined;
      if (row.used_at === null || row.used_at <= now - MINUTE) {
        await transact((db) => db`update management_tokens set used_at = ${now} where token_hash = ${hash}`);
      }
      return { name: `token ${row.name}`, scope: row.scope, blogId: row.blog_id, isOperator: false };
    },
  };
}

type TokenRow = Tables['management_tokens'];

/** A token in the list of tokens; the token itself is not stored. */
const toRecord = ({ name, scope, blog_id, created_at, expires_at, used_at }: TokenRow) => ({
  /** The name of the token, which is also its id. */
  name,
  scope,
  /** The only blog for which the token is valid; `null` for all blogs. */
  blogId: blog_id,
  createdAt: created_at,
  expiresAt: isoTime(expires_at),
  /** When it was last used, to the minute. */
  usedAt: isoTime(used_at),
});

type TokenRecord = ReturnType<typeof toRecord>;
