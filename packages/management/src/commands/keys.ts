import { flag, optional, text } from '@broadsheet/contract';
import { newApiKey, sha256Hex } from '@broadsheet/store';
import { OperationError } from '../operations/operation-error.ts';
import { type CommandContext, command, flagged, position } from './command.ts';
import { table } from './text-table.ts';

const LABEL = { label: flagged(optional(text({ max: 100 })), 'text', 'what the key is for') };

/** The commands for the API keys of a blog; only hashes of keys are stored. */
export const keys = {
  'keys.list': command({
    effect: 'read',
    help: 'list the keys of a blog with their labels, their first characters and when they were last used',
    args: {},
    run: ({ store, blog }) => store.listKeys(blog),
    hasTimes: true,
    text: (found, _, __, written) =>
      table(
        { KEY: 'id', LABEL: 'text', 'STARTS WITH': 'text', CREATED: 'text', 'LAST USED': 'text', REVOKED: 'text' },
        found.map(({ id, label, start, createdAt, usedAt, revokedAt }) => {
          return [id, label, start, written(createdAt), written(usedAt), written(revokedAt)];
        }),
      ),
  }),
  'keys.create': command({
    effect: 'write',
    touches: ['keys'],
    help: 'add a key to a blog and print it (only once)',
    examples: ['keys create news', 'keys create news --label "The site"'],
    args: LABEL,
    run: (context, { label }) => writeNewKey(context, 'addKey', label),
    text: ({ blog, id, apiKey }) =>
      `Added the key ${id}; existing keys of ${blog} still work.\nAPI key of ${blog}, shown only once: ${apiKey}`,
    log: ({ id }) => `created the key ${id}`,
  }),
  'keys.rotate': command({
    effect: 'write',
    touches: ['keys'],
    help: 'revoke every key of a blog and print a new one (only once)',
    args: LABEL,
    run: (context, { label }) => writeNewKey(context, 'rotateKey', label),
    text: ({ blog, apiKey }) =>
      `The previous keys of ${blog} are revoked: every server refuses them within a second.\nAPI key of ${blog}, shown only once: ${apiKey}`,
    log: ({ id }) => `rotated the keys; the new one is ${id}`,
  }),
  'keys.revoke': command({
    effect: 'write',
    touches: ['keys'],
    help: 'revoke one key of a blog, or all',
    examples: ['keys revoke news 62af8704764f', 'keys revoke news --all'],
    args: {
      key: position(optional(text({ max: 100 })), 'id of the key, as "keys list" shows it'),
      all: flagged(optional(flag), '', 'revoke every key'),
    },
    async run({ store, blog, now }, { key, all }) {
      if ((key === undefined) === !all) {
        throw new OperationError('Specify either the id of a key ("broadsheet keys list" shows them) or --all.');
      }
      const revoked = await store.revokeKeys(blog, key, now);
      if (key === undefined || revoked > 0) return { blog, revoked };
      const valid = (await store.listKeys(blog)).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
      const known = valid.length === 0 ? 'it has none' : `it has ${valid.join(', ')}`;
      throw new OperationError(`${blog} has no valid key with the id ${JSON.stringify(key)}; ${known}.`, 'NOT_FOUND');
    },
    log: ({ revoked }, { key }) =>
      key === undefined ? `revoked ${revoked} ${revoked === 1 ? 'key' : 'keys'}` : `revoked the key ${key}`,
  }),
};

async function writeNewKey({ store, blog, now }: CommandContext, write: 'addKey' | 'rotateKey', label?: string) {
  const apiKey = newApiKey();
  await store[write](blog, apiKey, now, label?.trim() || undefined);
  return { blog, id: (await sha256Hex(apiKey)).slice(0, 12), apiKey };
}
