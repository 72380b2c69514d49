import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAsset } from '../assets.ts';
import { note } from '../cli/output.ts';
import { type ReadImport, readImport, writeImport } from '../cli/read-import.ts';
import { Refusal } from '../cli/refusal.ts';
import { createServer } from '../http/create-server.ts';
import type { RunningServer } from '../http/server-options.ts';
import { newApiKey } from '../ports/random.ts';
import { openStore } from '../store/open-store.ts';
import type { ServerStore } from '../store/server-store.ts';
import { demoHosts, networkAddress } from './address.ts';
import { sampleAds, sampleBlog } from './sample-blog.ts';
import { type ShownBlog, siteRoutes } from './site-routes.ts';

/** Where the demo listens and what it shows. */
export interface DemoOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** A snapshot, a Ghost export or a folder of Markdown to show instead of the sample blog. */
  readonly importPath?: string;
}

/** A demo that runs. */
export interface RunningDemo extends RunningServer {
  readonly blog: ShownBlog;
  /** The address for other devices in the network, when it listens for them. */
  readonly networkUrl: string | undefined;
}

/**
 * Starts a fresh blog in a temporary SQLite file with the demo site over it; closing removes the file.
 *
 * @throws Refusal when the content to import cannot be used, and the error of the system when the port cannot.
 */
export async function startDemo({ port, host, importPath }: DemoOptions): Promise<RunningDemo> {
  const content = importPath === undefined ? undefined : await readImport(importPath);
  // Under way while the database is made: the first visitor should not wait for it.
  const assets = Promise.all([loadAsset('demo.js'), loadAsset('demo.css'), loadAsset('broadsheet.js')]);
  assets.catch(() => undefined);
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-demo-'));
  const clean: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of clean.splice(0).reverse()) await step();
  };
  try {
    const store = await openStore(`sqlite:${join(folder, 'demo.db')}`);
    clean.push(() => store.close());
    let blog: ShownBlog = { id: '', name: 'Broadsheet', apiKey: '' };
    const extraRoutes = siteRoutes(store, () => blog);
    const server = await createServer({ store, port, host, extraRoutes, lightGlobals: true });
    clean.push(() => server.close());
    const address = networkAddress(host);
    const networkUrl = address && `http://${address}:${new URL(server.url).port}`;
    blog = await fill(store, { content, hosts: demoHosts(host), url: networkUrl ?? server.url });
    await assets;
    return { url: server.url, networkUrl, blog, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Filling {
  readonly content: ReadImport | undefined;
  readonly hosts: readonly string[];
  readonly url: string;
}

/** Writes the content and gives the blog a key of the demo's own. */
async function fill(store: ServerStore, { content, hosts, url }: Filling): Promise<ShownBlog> {
  const now = Date.now();
  const apiKey = newApiKey();
  if (!content) {
    const blog = sampleBlog({ now, url, apiKey, domains: hosts });
    await store.importBlogs([blog], now);
    return { id: blog.id, name: blog.name, apiKey };
  }
  await writeImport(content, store);
  const [first, ...rest] = await store.listBlogs();
  if (!first) throw new Refusal('--import: there is no blog in it; give a snapshot with one, or a folder of Markdown');
  const { id, name, domains, ads } = rest.reduce((most, blog) => (blog.posts > most.posts ? blog : most), first);
  await store.addKey(id, apiKey, now);
  if (domains.length > 0) await store.setDomains(id, [...domains, ...hosts]);
  if (ads === 0) {
    for (const ad of sampleAds({ now, url })) await store.putAd(id, ad);
    note(`note: ${name} has no ads; the demo shows those of its sample blog`);
  }
  return { id, name, apiKey };
}
