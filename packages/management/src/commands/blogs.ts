import {
  accept,
  flag,
  isTimeZone,
  LIMITS,
  list,
  name,
  nullable,
  optional,
  Publisher,
  text,
} from '@broadsheet/contract';
import { newApiKey } from '@broadsheet/store';
import { requireBlog, wrongBlogId } from '../operations/blogs.ts';
import { OperationError, type OperationProblem, problemsAt } from '../operations/operation-error.ts';
import { command, flagged, position } from './command.ts';
import { changedDomains, hostIn, wrongDomains } from './domains.ts';
import { TYPED } from './fields.ts';
import { requireWholeUrl } from './read-draft.ts';
import { shownText } from './seen.ts';
import { table } from './text-table.ts';

const hostList = list(text({ max: 300 }), LIMITS.domains);
const EVERY = ['import', 'ads', 'stats'] as const;
const LOGO = 'https://news.example/logo.png';

/** The commands for whole blogs and their settings. */
export const blogs = {
  'blogs.list': command({
    effect: 'read',
    help: 'list the blogs',
    on: 'server',
    perBlog: 'blogs.show',
    scopes: EVERY,
    args: {},
    run: ({ store, actor }) => store.listBlogs(actor.blogId ?? undefined),
    text: (listed) =>
      table(
        { BLOG: 'id', NAME: 'text', POSTS: 'text', ADS: 'text', DOMAINS: 'url' },
        listed.map(({ id, name, posts, ads, domains }) => [id, name, posts, ads, domains.join(' ') || 'any']),
        'There are no blogs yet; create one with "broadsheet import" or "broadsheet blogs create".',
      ),
  }),
  'blogs.show': command({
    effect: 'read',
    scopes: EVERY,
    args: {},
    run: ({ store, blog }) => requireBlog(store, blog),
  }),
  'blogs.create': command({
    effect: 'write',
    touches: ['blog', 'settings', 'keys'],
    help: 'create a blog and print its API key, once',
    examples: ['blogs create news --name "The News" --domain news.example'],
    on: 'new blog',
    args: {
      name: flagged(optional(name), 'name', 'its name (default: the id)'),
      domains: flagged(
        optional(hostList),
        'host',
        'hosts whose pages may report clicks, such as news.example or *.news.example',
        'domain',
      ),
    },
    async run({ store, blog: id, now }, { name: typed = id, domains = [] }) {
      const hosts = domains.map(hostIn);
      const problems = [...wrongDomains(hosts), ...wrongName(typed)];
      const wrongId = wrongBlogId(id);
      if (wrongId !== undefined) problems.push({ at: 'id', message: wrongId });
      if (problems.length > 0) throw new OperationError(problems);
      const created = { id, name: typed.trim(), domains: [...new Set(hosts)] };
      await store.createBlog(created);
      const apiKey = newApiKey();
      await store.addKey(id, apiKey, now);
      return { ...created, apiKey };
    },
    text: ({ id, apiKey }) => `Created ${id}.\nAPI key of ${id}, shown only once: ${apiKey}`,
    log: ({ id }) => `created the blog ${id}`,
  }),
  'blogs.domains': command({
    effect: 'write',
    touches: ['settings'],
    help: 'show or replace the domains of a blog',
    examples: [
      'blogs domains news',
      'blogs domains news news.example *.news.example',
      'blogs domains news --add localhost --remove old.example',
      'blogs domains news --clear',
    ],
    args: {
      domains: position(optional(hostList), 'the new domains', { name: 'host' }),
      add: flagged(optional(hostList), 'host', 'keep the existing domains and add these'),
      remove: flagged(optional(hostList), 'host', 'keep all domains but these'),
      clear: flagged(optional(flag), '', 'allow every page'),
    },
    isRead: (args) => Object.keys(args).length === 0,
    current: async ({ store, blog }) => ({ domains: shownText((await requireBlog(store, blog)).domains) }),
    async run({ store, blog }, args) {
      const { domains: before } = await requireBlog(store, blog);
      const domains = changedDomains(blog, before, args) ?? before;
      if (domains.join() !== before.join()) await store.setDomains(blog, domains);
      return { blog, domains };
    },
    text: ({ domains }, _, blog) =>
      domains.length > 0 ? domains.join('\n') : `${blog} has no domains: any site may report clicks.`,
    log: ({ domains }) => `set the domains to ${domains.join(', ') || 'any'}`,
  }),
  'blogs.rename': command({
    effect: 'write',
    touches: ['settings'],
    help: 'rename a blog; its id stays the same',
    examples: ['blogs rename news "The Evening News"'],
    args: { name: position(name, 'the new name') },
    async run({ store, blog }, { name: typed }) {
      const problems = wrongName(typed);
      if (problems.length > 0) throw new OperationError(problems);
      const { name: before } = await requireBlog(store, blog);
      const after = typed.trim();
      if (after !== before) await store.renameBlog(blog, after);
      return { blog, before, after };
    },
    current: async ({ store, blog }) => ({ name: (await requireBlog(store, blog)).name }),
    text: ({ before, after }) =>
      after === before ? `The blog is already called “${after}”.` : `Renamed the blog from “${before}” to “${after}”.`,
    log: ({ before, after }) => (after === before ? undefined : `renamed the blog from “${before}” to “${after}”`),
  }),
  'blogs.time-zone': command({
    effect: 'write',
    touches: ['settings'],
    help: 'show or set the time zone that the days, dates and times of a blog use',
    examples: ['blogs time-zone news', 'blogs time-zone news Europe/Berlin'],
    args: {
      timeZone: position(optional(text({ max: 100 })), 'a name such as Europe/Berlin; the default is UTC', {
        name: 'zone',
      }),
    },
    isRead: ({ timeZone }) => timeZone === undefined,
    async run({ store, blog }, { timeZone: typed }) {
      const { timeZone: before = 'UTC' } = await requireBlog(store, blog);
      const timeZone = typed === undefined ? before : readTimeZone(typed);
      if (timeZone !== before) await store.setTimeZone(blog, timeZone);
      return { blog, timeZone, before };
    },
    current: async ({ store, blog }) => ({ timeZone: (await requireBlog(store, blog)).timeZone ?? 'UTC' }),
    json: ({ blog, timeZone }) => ({ blog, timeZone }),
    text: ({ timeZone }) => timeZone,
    log: ({ before, timeZone }) =>
      timeZone === before ? undefined : `changed the time zone from ${before} to ${timeZone}`,
  }),
  'blogs.publisher': command({
    effect: 'write',
    touches: ['settings'],
    help: 'show or set the logo and the contact in the reports for sponsors',
    examples: [
      'blogs publisher news --logo https://news.example/logo.png --contact ads@news.example',
      'blogs publisher news --logo ""',
    ],
    args: {
      logoUrl: flagged(optional(nullable(TYPED)), 'url', 'URL of an image; "" removes it', 'logo'),
      contact: flagged(optional(nullable(TYPED)), 'text', 'an e-mail address or a telephone number; "" removes it'),
    },
    isRead: (args) => Object.keys(args).length === 0,
    async run({ store, blog }, typed) {
      const { publisher: before = {}, domains } = await requireBlog(store, blog);
      if (Object.keys(typed).length === 0) return before;
      const values = Object.entries({ ...before, ...typed }).map(([name, text]) => [name, text?.trim()] as const);
      requireWholeUrl('logoUrl', typed.logoUrl?.trim() ?? '', LOGO, domains);
      const read = accept(Publisher, Object.fromEntries(values.filter(([, text]) => text)));
      if (!read.ok) throw new OperationError(problemsAt(read.fields));
      const { logoUrl, contact } = read.value;
      const isChanged = logoUrl !== before.logoUrl || contact !== before.contact;
      if (isChanged) await store.setPublisher(blog, read.value);
      return read.value;
    },
    async current({ store, blog }) {
      const { logoUrl = '', contact = '' } = (await requireBlog(store, blog)).publisher ?? {};
      return { logoUrl, contact };
    },
    text: ({ logoUrl, contact }) => `Logo: ${logoUrl ?? 'none'}\nContact: ${contact ?? 'none'}`,
    log: () => 'changed the logo and the contact in reports',
  }),
  'blogs.delete': command({
    effect: 'write',
    touches: ['blog', 'posts', 'labels', 'ads', 'campaigns', 'images', 'keys', 'hooks', 'settings', 'people', 'tokens'],
    help: 'delete a blog with its posts, ads, keys and figures',
    examples: ['blogs delete news', 'blogs delete news --yes'],
    args: {
      yes: flagged(optional(flag), '', 'delete it; without this flag, the command only says what would be deleted'),
    },
    transaction: 'own',
    unlogged: 'run writes the log',
    async run({ store, blog: id, entry }, { yes }) {
      const { name, posts, ads } = await requireBlog(store, id);
      if (!yes) {
        const save = `"broadsheet export ${id}" saves its content first`;
        throw new OperationError(
          `${id} would be deleted with ${contentOf({ posts, ads })}. Nothing was changed: add --yes to delete it; ${save}.`,
        );
      }
      // The entries about the blog are deleted with it.
      await store.deleteBlog(id, entry(`deleted the blog “${name}” (${id})`, null));
      return { blog: id, posts, ads };
    },
    text: ({ blog, ...has }) =>
      `Deleted ${blog} with ${contentOf(has)}. Every server refuses its keys within a second.`,
  }),
  'blogs.export': command({
    effect: 'read',
    scopes: ['import'],
    args: {},
    run: ({ store, blog }) => store.exportBlog(blog),
  }),
};

function wrongName(name: string): OperationProblem[] {
  if (name.trim() === '') return [{ at: 'name', message: 'enter a name' }];
  const isLine = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name.trim());
  return isLine ? [] : [{ at: 'name', message: 'must be one line, without tabs and other control characters' }];
}

const contentOf = ({ posts, ads }: { readonly posts: number; readonly ads: number }) =>
  `${posts} posts, ${ads} ads, its images, its keys and all its statistics`;

/** The name of a time zone in its usual spelling. @throws OperationError */
function readTimeZone(typed: string): string {
  const known = Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase() === typed.trim().toLowerCase());
  if (known) return known;
  const names = 'such as Europe/Berlin, America/New_York or UTC';
  if (/^(EST|MST|HST)$/i.test(typed.trim())) {
    const message = `${typed.trim()} has no daylight saving time; enter the name of a place, ${names}`;
    throw new OperationError([{ at: 'timeZone', message }]);
  }
  // The list of names lacks UTC.
  if (/^utc$/i.test(typed.trim())) return 'UTC';
  if (isTimeZone(typed.trim())) return typed.trim();
  const wrong = `${JSON.stringify(typed)} is not a time zone; expected a name ${names}`;
  const message = typed.trim() === '' ? `enter a time zone, ${names}` : wrong;
  throw new OperationError([{ at: 'timeZone', message }]);
}
