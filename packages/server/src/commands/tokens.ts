import { OperationError, readExpiry, requireBlog, SCOPES } from '@broadsheet/management';
import { newManagementToken } from '@broadsheet/store';
import { type CommandFlags, withStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

export async function createToken(
  name: string,
  flags: CommandFlags & { readonly scope: string; readonly blog?: string; readonly expires?: string },
): Promise<void> {
  const problems: string[] = [];
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,99}$/u.test(name)) {
    problems.push('NAME: expected 1 to 100 letters and digits, such as ci or news-site');
  }
  const scope = SCOPES.find((known) => known === flags.scope);
  if (!scope) problems.push(`--scope: expected ${SCOPES.join(', ')}, received ${JSON.stringify(flags.scope)}`);
  if (!scope || problems.length > 0) throw new OperationError(problems);
  const now = Date.now();
  const record = {
    name,
    scope,
    blogId: flags.blog ?? null,
    createdAt: new Date(now).toISOString(),
    expiresAt: readExpiry('--expires', flags.expires, now),
  };
  const token = newManagementToken();
  await withStore(flags, {}, async (store) => {
    if (flags.blog !== undefined) await requireBlog(store, flags.blog);
    if (!(await store.createToken(record, token))) {
      throw new OperationError(`The token ${JSON.stringify(name)} already exists: revoke it, or choose another name.`);
    }
  });
  const until = record.expiresAt === null ? '' : `, valid until ${record.expiresAt}`;
  printResult(flags, { ...record, token }, `Token ${name}${until}, shown only once: ${token}`);
}

export async function listTokens(flags: CommandFlags): Promise<void> {
  const tokens = await withStore(flags, {}, (store) => store.listTokens());
  const now = new Date().toISOString();
  const rows = tokens.map(({ name, scope, blogId, createdAt, expiresAt, usedAt }) => [
    name,
    scope,
    blogId ?? 'all',
    createdAt,
    expiresAt === null ? 'never' : expiresAt <= now ? `expired ${expiresAt}` : expiresAt,
    usedAt ?? 'never',
  ]);
  const none = 'There are no tokens, so /manage is disabled. "broadsheet tokens create NAME --scope import" adds one.';
  const headings = ['NAME', 'SCOPE', 'BLOG', 'CREATED', 'EXPIRES', 'LAST USED'];
  printResult(flags, tokens, rows.length > 0 ? table(headings, rows) : none);
}

export async function revokeToken(name: string, flags: CommandFlags): Promise<void> {
  await withStore(flags, {}, async (store) => {
    if (await store.revokeToken(name)) return;
    throw new OperationError(`There is no token ${JSON.stringify(name)}; "broadsheet tokens list" lists all tokens.`);
  });
  printResult(flags, { name, revoked: true }, `Revoked ${name}. Every server refuses it at once.`);
}
