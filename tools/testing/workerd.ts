import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

/** A workerd process on this machine that runs a worker. */
export interface Workerd {
  readonly url: string;
  stop(): Promise<void>;
  /** Kills the process in the middle of its work, as a loss of power would. */
  kill(): Promise<void>;
}

interface Options {
  /** Variables and secrets of the deployment. */
  readonly bindings?: Record<string, string>;
  /** The folder of the storage of Durable Objects; in memory by default. */
  readonly durableObjectsPersist?: string;
}

/** Bundles a worker with all its imports into one module. */
export async function bundleWorker(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@broadsheet/source', 'workerd'],
    external: ['cloudflare:workers', 'node:*'],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

const bundles = new Map<string, Promise<string>>();

/** Runs a worker with its Durable Object class `BlogObject` bound as `BLOGS`. */
export async function runWorker(entry: string, options: Options = {}): Promise<Workerd> {
  const bundle = bundles.get(entry) ?? bundleWorker(entry);
  bundles.set(entry, bundle);
  return runBundle(await bundle, options);
}

/** Like {@link runWorker}, with an existing bundle. */
export async function runBundle(script: string, options: Options = {}): Promise<Workerd> {
  const miniflare = new Miniflare({
    // Listed, because Miniflare would parse the bundle to find what it imports.
    modules: [{ type: 'ESModule', path: 'worker.js', contents: script }],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: { BLOGS: { className: 'BlogObject', useSQLite: true } },
    ...options,
  });
  const before = engines();
  const url = await miniflare.ready;
  const own = engines().filter((pid) => !before.includes(pid));
  return {
    url: url.href.replace(/\/$/, ''),
    stop: () => miniflare.dispose(),
    async kill() {
      if (own.length === 0) throw new Error('The process of the engine was not found: /proc is looked through.');
      for (const pid of own) process.kill(pid, 'SIGKILL');
      await miniflare.dispose();
    },
  };
}

/** The workerd processes that this process started: Miniflare does not report which instance started which. */
function engines(): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      const [, program, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return program === 'workerd' && Number(parent) === process.pid ? [Number(name)] : [];
    } catch {
      // Not a process, or one that has exited.
      return [];
    }
  });
}

/** Sends a request on a new connection, because workerd closes idle connections without notice. */
export async function fetchAlone(request: Request): Promise<Response> {
  const { url, method } = request;
  const headers = Object.fromEntries(request.headers);
  const outgoing = sendRequest(url, { method, headers, agent: false });
  outgoing.end(Buffer.from(await request.arrayBuffer()));
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error(`${method} ${url} got no response`);
  const status = incoming.statusCode ?? 0;
  const body = await buffer(incoming);
  const fields = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response([204, 304].includes(status) || method === 'HEAD' ? null : body, { status, headers: fields });
}
