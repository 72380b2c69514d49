import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, loadAsset, type RunningServer, type ServerOptions } from '@broadsheet/http';
import type { ServerStore } from '@broadsheet/management';
import { openStore } from '@broadsheet/management/node';
import { createClient } from '@broadsheet/sdk';
import { newApiKey } from '@broadsheet/store';
import { sampleAds, sampleBlog } from './sample-blog.ts';
import { DEMO_CSS, DEMO_JS } from './site-files.ts';
import { type DemoBlog, siteRoutes } from './site-routes.ts';

/** Addresses that stand for all networks of the machine. */
const EVERYWHERE = ['0.0.0.0', '::'];

/** Where the demo listens and what it shows. */
export interface DemoOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Writes other content than the sample blog into the empty store: at least one blog. */
  readonly fill?: (store: ServerStore) => Promise<void>;
  /** Pages beside those of the demo, asked first. */
  readonly routes?: (store: ServerStore) => NonNullable<ServerOptions['extraRoutes']>;
}

/** A demo that runs. */
export interface RunningDemo extends RunningServer {
  readonly blog: DemoBlog;
  /** The database it runs on. */
  readonly store: ServerStore;
  /** Where that is, as the commands take it. */
  readonly databaseUrl: string;
  /** The address for other devices in the network, when it listens for them. */
  readonly networkUrl: string | undefined;
  /** Whether the blog came without ads and is given those of the sample blog. */
  readonly showsSampleAds: boolean;
}

/**
 * Starts a fresh blog in a temporary SQLite file with the demo site over it; closing removes the file.
 *
 * @throws what `fill` throws, and the error of the system when the port cannot be used.
 *
 * @example
 * ```ts
 * const demo = await startDemo({ port: 0, host: '127.0.0.1' });
 * console.log(demo.url);
 * await demo.close();
 * ```
 */
export async function startDemo({ port, host, fill, routes }: DemoOptions): Promise<RunningDemo> {
  // Under way while the database is made: the first visitor should not wait for it.
  const assets = Promise.all([loadAsset(DEMO_JS), loadAsset(DEMO_CSS), loadAsset('broadsheet.js')]);
  assets.catch(() => undefined);
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-demo-'));
  const clean: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of clean.splice(0).reverse()) await step();
  };
  try {
    const databaseUrl = `sqlite:${join(folder, 'demo.db')}`;
    const store = await openStore(databaseUrl);
    clean.push(() => store.close());
    let site: NonNullable<ServerOptions['extraRoutes']> = () => undefined;
    const others = routes?.(store);
    const extraRoutes: typeof site = (request) => others?.(request) ?? site(request);
    const server = await createServer({ store, port, host, extraRoutes });
    clean.push(() => server.close());
    const address = networkAddress(host);
    const networkUrl = address && `http://${address}:${new URL(server.url).port}`;
    const where: Site = { hosts: demoHosts(host), url: networkUrl ?? server.url };
    const { showsSampleAds, ...blog } = await (fill ? showOther(store, fill, where) : showSample(store, where));
    site = siteRoutes(store, blog, createClient({ baseUrl: server.url, apiKey: blog.apiKey }));
    await assets;
    return { url: server.url, networkUrl, blog, store, databaseUrl, showsSampleAds, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where the demo's pages are. */
interface Site {
  readonly hosts: readonly string[];
  readonly url: string;
}

type Filled = DemoBlog & { readonly showsSampleAds: boolean };

async function showSample(store: ServerStore, { hosts, url }: Site): Promise<Filled> {
  const now = Date.now();
  const apiKey = newApiKey();
  const blog = sampleBlog({ now, url, apiKey, domains: hosts });
  await store.importBlogs([blog], now);
  return { id: blog.id, name: blog.name, apiKey, showsSampleAds: false };
}

/** Shows the largest blog of what `fill` writes, with a key of the demo's own. */
async function showOther(
  store: ServerStore,
  fill: NonNullable<DemoOptions['fill']>,
  { hosts, url }: Site,
): Promise<Filled> {
  const now = Date.now();
  await fill(store);
  const [first, ...rest] = await store.listBlogs();
  if (!first) throw new Error('The demo has no blog to show: what was to fill its store wrote none.');
  const { id, name, domains, ads } = rest.reduce((most, blog) => (blog.posts > most.posts ? blog : most), first);
  const apiKey = newApiKey();
  await store.addKey(id, apiKey, now);
  if (domains.length > 0) await store.setDomains(id, [...domains, ...hosts]);
  const showsSampleAds = ads === 0;
  if (showsSampleAds) for (const ad of sampleAds({ now, url })) await store.putAd(id, ad);
  return { id, name, apiKey, showsSampleAds };
}

/** The IP address of this machine in its network, when the demo listens on it; `undefined` otherwise. */
function networkAddress(host: string): string | undefined {
  if (!EVERYWHERE.includes(host)) return undefined;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** The hosts of the demo's pages, which may report clicks. */
function demoHosts(host: string): string[] {
  const own = EVERYWHERE.includes(host) ? networkAddress(host) : host.includes(':') ? `[${host}]` : host;
  return [...new Set(['localhost', '127.0.0.1', ...(own ? [own] : [])])];
}
