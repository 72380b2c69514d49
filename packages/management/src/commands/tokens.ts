import { choice, id, name as nameRule, optional, text } from '@broadsheet/contract';
import { newManagementToken, SCOPES } from '@broadsheet/store';
import { noBlog, requireBlog } from '../operations/blogs.ts';
import { OperationError } from '../operations/operation-error.ts';
import { readExpiry } from '../operations/timestamps.ts';
import { accessName, readAccessName } from './access-name.ts';
import { command, flagged, position } from './command.ts';
import { table } from './text-table.ts';

const tokenName = position(nameRule, 'name of the token', { sample: 'ci' });

/** The commands for the tokens of `/manage`; a token cannot create or revoke others. */
export const tokens = {
  'tokens.create': command({
    effect: 'write',
    touches: ['tokens'],
    help: 'create a token for --database https://…, to run commands from other machines, and print it (only once)',
    examples: ['tokens create ci --scope import --blog news --expires 90d'],
    on: 'server',
    args: {
      name: tokenName,
      scope: flagged(choice(SCOPES), 'scope', 'import (posts), ads (also campaigns and figures), stats, or all'),
      blog: flagged(optional(id), 'id', 'the only blog for which it is valid (default: all)'),
      expires: flagged(
        optional(text({ max: 100 })),
        'time',
        'days or hours until it expires, such as 90d or 12h (default: never)',
      ),
    },
    async run({ store, now }, { name: typed, scope, blog: blogId = null, expires }) {
      const name = readAccessName(typed, 'ci or news-site');
      if (blogId !== null) await requireBlog(store, blogId);
      const expiresAt = readExpiry('expires', expires, { now });
      const record = { name, scope, blogId, createdAt: new Date(now).toISOString(), expiresAt };
      const token = newManagementToken();
      const outcome = await store.createToken(record, token);
      if (outcome === 'created') return { ...record, token };
      if (outcome === 'no blog') throw noBlog(blogId);
      const message = `The token ${JSON.stringify(name)} already exists: revoke it, or choose another name.`;
      throw new OperationError(message, 'CONFLICT');
    },
    text: ({ name: created, expiresAt, token }) =>
      `Token ${created}${expiresAt === null ? '' : `, valid until ${expiresAt}`}, shown only once: ${token}`,
    log: ({ name: created, scope }) => `created the token ${created} (${scope})`,
    blogOf: ({ blogId }) => blogId,
  }),
  'tokens.list': command({
    effect: 'read',
    help: 'list the tokens and when each was last used; only their hashes are stored',
    on: 'server',
    args: {},
    run: ({ store }) => store.listTokens(),
    text(listed) {
      const now = new Date().toISOString();
      return table(
        { NAME: 'id', SCOPE: 'text', BLOG: 'id', CREATED: 'text', EXPIRES: 'text', 'LAST USED': 'text' },
        listed.map(({ name: listedName, scope, blogId, createdAt, expiresAt, usedAt }) => {
          const until = expiresAt !== null && expiresAt <= now ? `expired ${expiresAt}` : expiresAt;
          return [listedName, scope, blogId ?? 'all', createdAt, until, usedAt];
        }),
        'There are no tokens, so /manage is disabled. "broadsheet tokens create NAME --scope import" adds one.',
      );
    },
  }),
  'tokens.revoke': command({
    effect: 'write',
    touches: ['tokens'],
    help: 'revoke a token; every server refuses it at once',
    on: 'server',
    args: { name: tokenName },
    async run({ store }, { name: typed }) {
      const revoked = await store.revokeToken(accessName(typed));
      if (revoked) return revoked;
      const message = `There is no token ${JSON.stringify(typed)}; "broadsheet tokens list" lists all tokens.`;
      throw new OperationError(message, 'NOT_FOUND');
    },
    json: ({ name: revoked }) => ({ name: revoked, revoked: true }),
    log: ({ name: revoked }) => `revoked the token ${revoked}`,
    blogOf: ({ blogId }) => blogId,
  }),
};
