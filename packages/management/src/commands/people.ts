import { choice, fallback, flag, id, LIMITS, name as nameRule, optional, text } from '@broadsheet/contract';
import { type Person, ROLES, randomText } from '@broadsheet/store';
import { noBlog, requireBlog } from '../operations/blogs.ts';
import { OperationError } from '../operations/operation-error.ts';
import { accessName, readAccessName } from './access-name.ts';
import { command, flagged, position } from './command.ts';
import { readServerUrl } from './server-url.ts';
import { table } from './text-table.ts';

const personName = position(nameRule, 'name of the person', { sample: 'Ada' });

/** The commands for the people who may use the panel. */
export const people = {
  'panel.invite': command({
    needsPages: true,
    effect: 'write',
    touches: ['people'],
    help: 'print a link that signs a person in once, within an hour; it changes the role of a known person when it is used',
    examples: ['panel invite Ada', 'panel invite Ben --blog news --role view --url https://blog.example'],
    on: 'server',
    args: {
      name: personName,
      blog: flagged(optional(id), 'id', 'the only blog that they can see (default: all)'),
      role: flagged(fallback(choice(ROLES), 'manage'), 'role', 'manage, or view for read-only access'),
      url: flagged(optional(text(LIMITS.url)), 'url', 'URL of the server (default: PUBLIC_URL)'),
    },
    async run({ store, now }, { name: typed, role, blog: blogId = null, url = '' }) {
      const server = readServerUrl('url', url);
      if (blogId !== null) await requireBlog(store, blogId);
      const person: Person = { name: readAccessName(typed, 'Ada'), role, blogId };
      const token = randomText();
      const outcome = await store.invitePerson(person, token, now);
      if (outcome === 'no blog') throw noBlog(blogId);
      if (outcome === 'last manager') throw keepsRole(person.name);
      return { ...person, link: `${server}/panel/sign-in?token=${token}` };
    },
    text: ({ name: invited, link }) => `${invited} can sign in with this link once, within an hour:\n${link}`,
    log: ({ name: invited, role, blogId }) => `invited ${invited} (${role}, ${blogId ?? 'all blogs'})`,
    blogOf: ({ blogId }) => blogId,
  }),
  'panel.people': command({
    needsPages: true,
    effect: 'read',
    help: 'list who may use the panel',
    on: 'server',
    args: {},
    run: ({ store, now }) => store.listPeople(now),
    text: (all) =>
      table(
        { NAME: 'id', ROLE: 'text', BLOG: 'id', STATE: 'text' },
        all.map(({ name: listed, role, blogId, sessions, invited }) => {
          const state = invited ? 'link unused' : sessions > 0 ? `signed in (${sessions})` : 'signed out';
          return [listed, role, blogId ?? 'all', state];
        }),
        'Nobody has been invited yet, so the panel is disabled. "broadsheet panel invite NAME" enables it.',
      ),
  }),
  'panel.revoke': command({
    needsPages: true,
    effect: 'write',
    touches: ['people'],
    help: 'sign a person out everywhere and end their access',
    on: 'server',
    args: {
      name: personName,
      yes: flagged(optional(flag), '', 'revoke even if nobody else manages all blogs'),
    },
    async run({ store, now }, { name: input, yes }) {
      const name = accessName(input);
      const person = (await store.listPeople(now)).find((listed) => listed.name === name);
      const outcome = person ? await store.revokePerson(name, now, yes) : 'nobody';
      if (outcome === 'last manager') {
        const then = 'afterwards, only somebody with a shell on the server can invite people';
        throw new OperationError(
          `${name} was not revoked, because nobody else manages all blogs. Add --yes to revoke this access: ${then}.`,
          'CONFLICT',
        );
      }
      if (person && outcome === 'revoked') return { name, blogId: person.blogId };
      const message = `There is nobody called ${JSON.stringify(name)}; "broadsheet panel people" lists everybody.`;
      throw new OperationError(message, 'NOT_FOUND');
    },
    json: ({ name: revoked }) => ({ name: revoked, revoked: true }),
    log: ({ name: revoked }) => `revoked ${revoked}`,
    blogOf: ({ blogId }) => blogId,
  }),
};

function keepsRole(name: string): OperationError {
  const message = `${name} keeps the role manage for all blogs, because nobody else manages all blogs. Invite somebody else with that role, and change the role of ${name} after they have signed in`;
  return new OperationError([{ at: 'name', message }], 'CONFLICT');
}
