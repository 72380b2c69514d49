import { isDomain } from '../../content/domains.ts';
import { newApiKey } from '../../ports/random.ts';
import { BlogExists } from '../../store/server-store.ts';
import { type DatabaseFlag, requireBlog, withStore } from '../database.ts';
import { print, printJson } from '../output.ts';
import { Refusal } from '../refusal.ts';
import { table } from '../table.ts';

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
  const apiKey = newApiKey();
  const blog = { id, name: flags.name ?? id, domains };
  await withStore(flags, { create: true }, async (store) => {
    const now = Date.now();
    try {
      await store.createBlog(blog, now);
    } catch (error) {
      throw error instanceof BlogExists ? new Refusal(`There is a blog ${JSON.stringify(id)} already.`) : error;
    }
    await store.addKey(id, apiKey, now);
  });
  if (flags.json) printJson({ ...blog, apiKey });
  else print(`Created ${id}.\nAPI key of ${id}, shown this once: ${apiKey}`);
}

/** `broadsheet blogs domains BLOG [HOST...]` */
export async function blogDomains(
  id: string,
  hosts: readonly string[],
  flags: Flags & { readonly clear?: boolean },
): Promise<void> {
  if (flags.clear && hosts.length > 0) throw new Refusal('Give either domains or --clear, not both.');
  const wanted = readDomains(hosts);
  const domains = await withStore(flags, {}, async (store) => {
    const blog = await requireBlog(store, id);
    if (wanted.length === 0 && !flags.clear) return blog.domains;
    await store.setDomains(id, wanted, Date.now());
    return wanted;
  });
  if (flags.json) printJson({ blog: id, domains });
  else print(domains.length > 0 ? domains.join('\n') : `${id} has no domains: pages of every site may report clicks.`);
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
