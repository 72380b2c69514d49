import { isDomain } from '@broadsheet/content';
import { BlogExists, newApiKey } from '@broadsheet/store';
import { type DatabaseFlag, requireBlog, withStore } from '../database/database.ts';
import { note, print, printJson } from '../program/output.ts';
import { Refusal } from '../program/refusal.ts';
import { table } from '../program/table.ts';

type Flags = DatabaseFlag & { readonly json?: boolean };

/** `broadsheet blogs list` */
export async function listBlogs(flags: Flags): Promise<void> {
  const blogs = await withStore(flags, {}, (store) => store.listBlogs());
  if (flags.json) printJson(blogs);
  else if (blogs.length === 0)
    print('There is no blog yet; make one with "broadsheet import" or "broadsheet blogs create".');
  else {
    const rows = blogs.map(({ id, name, posts, ads, domains }) => [id, name, posts, ads, domains.join(' ') || 'any']);
    print(table(['BLOG', 'NAME', 'POSTS', 'ADS', 'DOMAINS'], rows));
  }
}

/** `broadsheet blogs create ID` */
export async function createBlog(
  id: string,
  flags: Flags & { readonly name?: string; readonly domain?: readonly string[] },
): Promise<void> {
  const domains = readDomains(flags.domain ?? []);
  if (id.trim() === '') throw new Refusal('The id of a blog cannot be empty.');
  if (id.trim() !== id) throw new Refusal(`The id ${JSON.stringify(id)} begins or ends with a blank; leave it out.`);
  const apiKey = newApiKey();
  const blog = { id, name: flags.name ?? id, domains };
  await withStore(flags, { create: true }, async (store) => {
    try {
      await store.createBlog(blog);
    } catch (error) {
      throw error instanceof BlogExists ? new Refusal(`There is a blog ${JSON.stringify(id)} already.`) : error;
    }
    await store.addKey(id, apiKey, Date.now());
  });
  if (flags.json) printJson({ ...blog, apiKey });
  else print(`Created ${id}.\nAPI key of ${id}, shown this once: ${apiKey}`);
}

/** How `blogs domains` changes a list; without any of these it shows it. */
interface DomainFlags extends Flags {
  readonly clear?: boolean;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** `broadsheet blogs domains BLOG [HOST...]` */
export async function blogDomains(id: string, hosts: readonly string[], flags: DomainFlags): Promise<void> {
  const changes = flags.add !== undefined || flags.remove !== undefined;
  if (flags.clear && (hosts.length > 0 || changes)) throw new Refusal('Give either domains or --clear, not both.');
  if (changes && hosts.length > 0) {
    throw new Refusal('Domains without --add or --remove replace all there are: give either the one or the other.');
  }
  const given = { hosts: readDomains(hosts), add: readDomains(flags.add ?? []), remove: flags.remove ?? [] };
  const { before, after } = await withStore(flags, {}, async (store) => {
    const { domains: before } = await requireBlog(store, id);
    if (hosts.length === 0 && !changes && !flags.clear) return { before, after: before };
    const after = changes ? changed(id, before, given) : [...new Set(given.hosts)];
    await store.setDomains(id, after);
    return { before, after };
  });
  tellChange(before, after);
  if (flags.json) printJson({ blog: id, domains: after });
  else print(after.length > 0 ? after.join('\n') : `${id} has no domains: pages of every site may report clicks.`);
}

/** @throws Refusal when a domain to remove is not there, or the last one goes, which would open the blog to all */
function changed(
  id: string,
  before: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): string[] {
  const unknown = remove.filter((host) => !before.includes(host));
  if (unknown.length > 0) {
    const known = before.length === 0 ? 'has none' : `has ${before.join(', ')}`;
    throw new Refusal(unknown.map((host) => `--remove: ${JSON.stringify(host)} is no domain of ${id}, which ${known}`));
  }
  const after = [...new Set([...before.filter((host) => !remove.includes(host)), ...add])];
  if (after.length > 0) return after;
  throw new Refusal(
    `--remove: without a domain, pages of every site may report clicks of ${id}; use --clear for that.`,
  );
}

/** A list that is replaced may lose what nobody meant to take away. */
function tellChange(before: readonly string[], after: readonly string[]): void {
  for (const host of before) if (!after.includes(host)) note(`removed: ${host}`);
  for (const host of after) if (!before.includes(host)) note(`added: ${host}`);
  if (before.length === 0 && after.length > 0)
    note('Until now pages of every site could report clicks, now only these:');
}

/** An address with a scheme or a path is a common mistake. */
function readDomains(hosts: readonly string[]): string[] {
  const wrong = hosts.filter((host) => !isDomain(host));
  if (wrong.length === 0) return [...hosts];
  throw new Refusal(
    wrong.map(
      (host) =>
        `${JSON.stringify(host)} is no domain; expected a host such as news.example, news.example:8080 or *.news.example`,
    ),
  );
}
