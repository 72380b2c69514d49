import { spawnSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createManagementClient } from '../../packages/management/src/index.ts';
import { broadsheet, type ServerProcess, serve } from '../../packages/server/test/broadsheet.ts';
import { startNginx } from '../../packages/server/test/nginx.ts';
import { deploy } from '../../packages/workers/test/deployment.ts';
import { startPostgres } from '../testing/own-postgres.ts';
import { queryPostgres } from '../testing/query-postgres.ts';
import { freePort } from '../testing/site.ts';
import { BLOGS, snapshotOf } from './content.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { Random } from './random.ts';

export const TARGETS = ['sqlite', 'postgres', 'workers'] as const;
export type Target = (typeof TARGETS)[number];

/** Servers that a run attacks. */
export interface Deployment {
  /** Where clients send their requests, through the proxies that cut and delay connections. */
  readonly url: string;
  readonly proxies: readonly FaultProxy[];
  /** The faults that can be injected, by name. Each resolves when the deployment works again. */
  readonly faults: Readonly<Record<string, (random: Random) => Promise<void>>>;
  /** Whether its clock can be moved. */
  readonly hasClock: boolean;
  /** Moves the clock of every server to be this many milliseconds ahead, and waits until it is. */
  setClock(ahead: number): Promise<void>;
  /** Asks the database something short, without a proxy; absent if a database needs no connection. */
  probe?(): Promise<unknown>;
  /** Runs a command over HTTP. */
  run(name: string, blog: string, args: object): Promise<unknown>;
  close(): Promise<void>;
}

const COMPILED_CLOCK = new URL('./clock.mjs', import.meta.url).href;

/** Starts the programs of a target, with the blogs of a run. */
export function startDeployment(target: Target, folder: string, random: Random): Promise<Deployment> {
  return target === 'workers' ? startWorkers(folder, random) : startServers(target, folder, random);
}

async function startServers(target: 'sqlite' | 'postgres', folder: string, random: Random): Promise<Deployment> {
  const postgres = target === 'postgres' ? await startPostgres() : undefined;
  const database = postgres?.url ?? `sqlite:${join(folder, 'prove.db')}`;
  const clock = join(folder, 'clock');
  // The file is replaced in one step, so that no server reads an empty file.
  const setClock = async (ahead: number) => {
    writeFileSync(`${clock}.new`, String(ahead));
    renameSync(`${clock}.new`, clock);
    // Servers read the file again 50 ms after they last read it.
    await sleep(500);
  };
  await setClock(0);
  writeFileSync(join(folder, 'blogs.json'), JSON.stringify({ blogs: BLOGS.map(snapshotOf) }));
  const env = {
    ...{ CLOCK_FILE: clock, NODE_OPTIONS: `--import=${COMPILED_CLOCK}`, LOG_LEVEL: 'warn' },
    ...{ ALLOW_PRIVATE_WEBHOOKS: '1', ...(postgres && { TRUST_PROXY: '1' }) },
  };
  const start = (port: number) => serve(['--port', String(port), '--database', database], { cwd: folder, env });
  const inFolder = async (...args: string[]) => {
    const { code, stdout, stderr } = await broadsheet([...args, '--database', database], { cwd: folder });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  await inFolder('import', 'blogs.json');
  const { token } = JSON.parse(await inFolder('tokens', 'create', 'prove', '--scope', 'all', '--json'));
  const ports = await Promise.all(Array.from({ length: postgres ? 3 : 1 }, () => freePort()));
  const servers: ServerProcess[] = await Promise.all(ports.map(start));
  const behind = await Promise.all(ports.map((port) => startFaultProxy(port, random.fork(`server ${port}`))));
  const [first = 0, second = 0, third = 0] = behind.map(({ port }) => port);
  const nginx = postgres && (await startNginx(join(folder, 'nginx'), [first, second, third]));
  const front = await startFaultProxy(nginx ? Number(new URL(nginx.url).port) : first, random.fork('clients'));
  const { run } = createManagementClient(nginx?.url ?? `http://127.0.0.1:${first}`, token);

  const again = async (at: number) => {
    servers[at] = await start(ports[at] ?? 0);
  };
  const stop = (signal: NodeJS.Signals) => async (chance: Random) => {
    const at = chance.below(servers.length);
    await servers[at]?.stop(signal);
    await sleep(chance.below(2000));
    await again(at);
  };
  const signal = (at: number, name: NodeJS.Signals) => servers[at]?.child.kill(name);
  const limitFiles = (size: string) => {
    for (const { child } of servers) spawnSync('prlimit', [`--pid=${child.pid}`, `--fsize=${size}:`]);
  };
  return {
    url: `http://127.0.0.1:${front.port}`,
    proxies: [front, ...behind],
    hasClock: true,
    setClock,
    run,
    ...(postgres && { probe: () => queryPostgres(database, 'select 1') }),
    faults: {
      'kill a server': stop('SIGKILL'),
      'restart a server': stop('SIGTERM'),
      async 'pause a server'(chance) {
        const at = chance.below(servers.length);
        signal(at, 'SIGSTOP');
        await sleep(1000 + chance.below(7000));
        signal(at, 'SIGCONT');
      },
      ...(postgres && {
        async 'crash PostgreSQL'(chance: Random) {
          await postgres.crash();
          await sleep(chance.below(3000));
          await postgres.start();
        },
        async 'pause PostgreSQL'(chance: Random) {
          await postgres.freeze();
          await sleep(1000 + chance.below(5000));
          await postgres.thaw();
        },
      }),
      ...(!postgres && {
        // A limit on the size of files has the effect of a full disk, on any disk.
        async 'fill the disk'(chance: Random) {
          limitFiles('1000');
          await sleep(1000 + chance.below(4000));
          limitFiles('unlimited');
        },
      }),
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
      await nginx?.stop();
      await Promise.all([front, ...behind].map((proxy) => proxy.close()));
      await postgres?.remove();
    },
  };
}

async function startWorkers(folder: string, random: Random): Promise<Deployment> {
  const storage = { folder: join(folder, 'objects') };
  let worker = await deploy(storage);
  const portOf = () => Number(new URL(worker.url).port);
  const front = await startFaultProxy(portOf(), random.fork('clients'));
  // Commands take the same path as requests, because the port changes with every start.
  const { run } = createManagementClient(`http://127.0.0.1:${front.port}`, worker.token);
  for (const blog of BLOGS) await worker.importBlog(snapshotOf(blog));
  return {
    url: `http://127.0.0.1:${front.port}`,
    proxies: [front],
    hasClock: false,
    setClock: () => Promise.resolve(),
    run,
    faults: {
      async 'kill the engine'(chance) {
        await worker.kill();
        await sleep(chance.below(2000));
        worker = await deploy(storage);
        front.target = portOf();
      },
    },
    async close() {
      await front.close();
      await worker.stop();
    },
  };
}
