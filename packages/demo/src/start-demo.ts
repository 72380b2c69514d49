import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSendRequest, createServer, loadAsset, type RunningServer, type ServerOptions } from '@broadsheet/http';
import { WebhookSender } from '@broadsheet/management';
import { createClient } from '@broadsheet/sdk';
import type { SqlStore } from '@broadsheet/store';
import { newApiKey } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { sampleAds, sampleBlog } from './sample-blog.ts';
import { DEMO_CSS, DEMO_JS } from './site-files.ts';
import { type DemoBlog, siteRoutes } from './site-routes.ts';

/** Addresses that listen on all network interfaces. */
const EVERYWHERE = ['0.0.0.0', '::'];

/** Where the demo listens and what it shows. */
export interface DemoOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  readonly host: string;
  /** Writes content into the empty store in place of the sample blog; at least one blog. */
  readonly fill?: (store: SqlStore) => Promise<void>;
  /** The doors of operators; their routes take precedence over those of the demo. */
  readonly mount?: (store: SqlStore) => Pick<ServerOptions, 'extraRoutes' | 'measures' | 'slowPaths'>;
}

export interface RunningDemo extends RunningServer {
  readonly blog: DemoBlog;
  /** The database it runs on. */
  readonly store: SqlStore;
  /** The URL of the database, as passed to the commands. */
  readonly databaseUrl: string;
  /** The URL for other devices in the network, if the demo listens on all interfaces. */
  readonly networkUrl: string | undefined;
  /** Whether the blog has no ads and shows those of the sample blog. */
  readonly showsSampleAds: boolean;
}

/**
 * Starts a fresh blog in a temporary SQLite file with the demo site over it; closing removes the file.
 *
 * @throws the error of `fill`, or the system's error if the port cannot be used.
 *
 * @example
 * ```ts
 * const demo = await startDemo({ port: 0, host: '127.0.0.1' });
 * console.log(demo.url);
 * await demo.close();
 * ```
 */
export async function startDemo({ port, host, fill, mount }: DemoOptions): Promise<RunningDemo> {
  // Started before the database is created, so that the first visitor does not have to wait.
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
    const mounted = mount?.(store);
    const extraRoutes: typeof site = (...call) => mounted?.extraRoutes?.(...call) ?? site(...call);
    const server = await createServer({ store, port, host, ...mounted, extraRoutes });
    clean.push(() => server.close());
    const address = networkAddress(host);
    const networkUrl = address && `http://${address}:${new URL(server.url).port}`;
    const where: Site = { hosts: demoHosts(host), url: networkUrl ?? server.url };
    const { showsSampleAds, ...blog } = await (fill ? showOther(store, fill, where) : showSample(store, where));
    site = siteRoutes(store, blog, createClient({ baseUrl: server.url, apiKey: blog.apiKey }));
    const sender = startSender(store);
    clean.push(() => sender.stop());
    await assets;
    return { url: server.url, networkUrl, blog, store, databaseUrl, showsSampleAds, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends the webhooks of the demo, even to its own machine: only its user can add webhooks. */
function startSender({ outbox }: SqlStore): WebhookSender {
  const send = createSendRequest({ allowPrivate: true });
  const sender = new WebhookSender({ outbox, send, clock: Date, report: (message) => console.warn(message) });
  sender.start();
  return sender;
}

/** The hosts and the URL of the demo's pages. */
interface Site {
  readonly hosts: readonly string[];
  readonly url: string;
}

type Filled = DemoBlog & { readonly showsSampleAds: boolean };

async function showSample(store: SqlStore, { hosts, url }: Site): Promise<Filled> {
  const now = Date.now();
  const apiKey = newApiKey();
  const blog = sampleBlog({ now, url, apiKey, domains: hosts });
  await store.importBlogs([blog], now);
  return { id: blog.id, name: blog.name, apiKey, showsSampleAds: false };
}

/** Shows the blog with the most posts that `fill` writes, with a new key. */
async function showOther(
  store: SqlStore,
  fill: NonNullable<DemoOptions['fill']>,
  { hosts, url }: Site,
): Promise<Filled> {
  const now = Date.now();
  await fill(store);
  const [first, ...rest] = await store.listBlogs();
  if (!first) throw new Error('The demo has no blog to show: `fill` wrote none.');
  const { id, name, domains, ads } = rest.reduce((most, blog) => (blog.posts > most.posts ? blog : most), first);
  const apiKey = newApiKey();
  await store.addKey(id, apiKey, now, 'The demo site');
  if (domains.length > 0) await store.setDomains(id, [...domains, ...hosts]);
  const showsSampleAds = ads === 0;
  if (showsSampleAds) for (const ad of sampleAds({ now, url })) await store.putAd(id, ad);
  return { id, name, apiKey, showsSampleAds };
}

/** The IP address of this machine in its network, if the demo listens on it; otherwise `undefined`. */
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
