import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findMedia, type ImagePath } from '@broadsheet/core';
import {
  changeDomains,
  changeTimeZone,
  createBlog as create,
  type DomainChange,
  type ManagedStore,
  OperationError,
  deleteBlog as remove,
  renameBlog as rename,
  requireBlog,
} from '@broadsheet/management';
import { type CommandFlags, type DatabaseFlag, withStore } from '../database/database.ts';
import { note, printPart, printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

export async function listBlogs(flags: CommandFlags): Promise<void> {
  const blogs = await withStore(flags, {}, (store) => store.listBlogs());
  const rows = blogs.map(({ id, name, posts, ads, domains }) => [id, name, posts, ads, domains.join(' ') || 'any']);
  const none = 'There is no blog yet; create one with "broadsheet import" or "broadsheet blogs create".';
  printResult(flags, blogs, rows.length > 0 ? table(['BLOG', 'NAME', 'POSTS', 'ADS', 'DOMAINS'], rows) : none);
}

export async function createBlog(
  id: string,
  flags: CommandFlags & { readonly name?: string; readonly domain?: readonly string[] },
): Promise<void> {
  const { name, domain } = flags;
  const blog = { id, ...(name !== undefined && { name }), ...(domain && { domains: domain }) };
  const created = await withStore(flags, { create: true }, (store) => create(store, blog, Date.now()));
  printResult(flags, created, `Created ${id}.\nAPI key of ${id}, shown only once: ${created.apiKey}`);
}

/** `broadsheet export BLOG`: posts are printed as they are read, because a string can hold at most 512 MB. */
export async function exportBlog(id: string, flags: DatabaseFlag & { readonly media?: string }): Promise<void> {
  await withStore(flags, {}, async (store) => {
    await requireBlog(store, id);
    const images = new Map<string, ImagePath>();
    const collect = (json: string) => {
      for (const image of findMedia(json)) images.set(image.hash, image);
    };
    let end: string | undefined;
    let separator = '';
    await store.exportInParts(id, async (part) => {
      if (end === undefined) {
        const head = JSON.stringify({ blogs: [part] }, undefined, 2);
        collect(head);
        const [before = '', after = ''] = head.split('"posts": []');
        await printPart(`${before}"posts": [`);
        end = `]${after}\n`;
      }
      for (const post of part.posts) {
        const json = JSON.stringify(post, undefined, 2).replaceAll('\n', INDENT);
        collect(json);
        await printPart(`${separator}${INDENT}${json}`);
        separator = ',';
      }
    });
    if (separator) await printPart('\n      ');
    await printPart(end ?? '');
    if (flags.media !== undefined) await writeImages(store, [...images.values()], flags.media);
  });
}

/** Writes stored images into a folder; images of other servers are left out. */
async function writeImages(store: ManagedStore, paths: readonly ImagePath[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  let written = 0;
  for (const path of paths) {
    const image = await store.findImage(path);
    if (!image) continue;
    await pipeline(image.parts(), createWriteStream(join(folder, `${path.hash}.${path.extension}`)));
    written += 1;
  }
  note(`Wrote ${written} images to ${folder}.`);
}

/** The indentation of a post in the JSON of a blog. */
const INDENT = '\n        ';

export async function renameBlog(id: string, name: string, flags: CommandFlags): Promise<void> {
  const { before, after } = await withStore(flags, {}, (store) => rename(store, id, name));
  printResult(
    flags,
    { blog: id, before, after },
    `Renamed ${id} from ${JSON.stringify(before)} to ${JSON.stringify(after)}.`,
  );
}

/** `broadsheet blogs time-zone BLOG [ZONE]` */
export async function blogTimeZone(id: string, zone: string | undefined, flags: CommandFlags): Promise<void> {
  const timeZone = await withStore(flags, {}, async (store) => {
    if (zone !== undefined) return (await changeTimeZone(store, id, zone)).after;
    return (await requireBlog(store, id)).timeZone ?? 'UTC';
  });
  printResult(flags, { blog: id, timeZone }, timeZone);
}

export async function deleteBlog(id: string, flags: CommandFlags & { readonly yes?: boolean }): Promise<void> {
  const blog = await withStore(flags, {}, (store) => (flags.yes ? remove(store, id) : requireBlog(store, id)));
  const has = `${blog.posts} posts, ${blog.ads} ads, its images, its keys and all its statistics`;
  if (!flags.yes) {
    const save = `"broadsheet export ${id}" saves its content first`;
    throw new OperationError(
      `${id} would be deleted with ${has}. Nothing was changed: add --yes to delete it; ${save}.`,
    );
  }
  printResult(
    flags,
    { blog: id, posts: blog.posts, ads: blog.ads },
    `Deleted ${id} with ${has}. Every server refuses its keys within a second.`,
  );
}

/** How `blogs domains` changes the list of domains; without any of these flags it shows the list. */
interface DomainFlags extends CommandFlags {
  readonly clear?: boolean;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export async function blogDomains(id: string, hosts: readonly string[], flags: DomainFlags): Promise<void> {
  const change = readChange(hosts, flags);
  const { before, after } = await withStore(flags, {}, async (store) => {
    if (change) return changeDomains(store, id, change);
    const { domains } = await requireBlog(store, id);
    return { before: domains, after: domains };
  });
  noteChange(before, after);
  printResult(
    flags,
    { blog: id, domains: after },
    after.length > 0 ? after.join('\n') : `${id} has no domains: pages of every site may report clicks.`,
  );
}

function readChange(hosts: readonly string[], { clear, add, remove }: DomainFlags): DomainChange | undefined {
  const changes = add !== undefined || remove !== undefined;
  if (clear && (hosts.length > 0 || changes)) throw new OperationError('Give either domains or --clear, not both.');
  if (changes && hosts.length > 0) {
    throw new OperationError(
      'Domains without --add or --remove replace the whole list: give either domains or these flags, not both.',
    );
  }
  if (clear) return { clear };
  if (changes) return { ...(add && { add }), ...(remove && { remove }) };
  return hosts.length > 0 ? { replace: hosts } : undefined;
}

/** Notes the changes, because replacing a list may remove a domain by accident. */
function noteChange(before: readonly string[], after: readonly string[]): void {
  for (const host of before) if (!after.includes(host)) note(`removed: ${host}`);
  for (const host of after) if (!before.includes(host)) note(`added: ${host}`);
  if (before.length === 0 && after.length > 0)
    note('Previously, pages of every site could report clicks; now only pages of these domains can:');
}
