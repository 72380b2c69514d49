import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, inject } from 'vitest';
import { createPostgres } from '../../../../tools/testing/databases.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../tools/testing/folder.ts';
import { queryPostgres } from '../../../../tools/testing/query-postgres.ts';
import { fetchAlone, runWorker, type Workerd } from '../../../../tools/testing/workerd.ts';
import { type Request, type Response, respond } from './respond.ts';

/** A store in one run of a sequence, empty at first. */
export interface Run {
  /** @param place the number of the process */
  send(request: Request, place: number): Promise<Response>;
  /** Ends all processes and starts them again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A kind of store. */
export interface Kind {
  readonly name: string;
  start(): Promise<Run>;
}

/** Processes over the database of a URL, each opened when it is first used. */
function runOver(url: string): Run {
  let open: (Promise<SqlStore> | undefined)[] = [];
  const close = async () => {
    for (const store of open) await (await store)?.close();
    open = [];
  };
  return {
    async send(request, place) {
      open[place] ??= openStore(url, { poolSize: 3 });
      return respond(await open[place], request, { writesDuringImports: true });
    },
    restart: close,
    close,
  };
}

/** Every run has its own copy of an empty file. */
async function sqlite(folder: TemporaryFolder): Promise<Kind> {
  const empty = folder.join('empty.db');
  await (await openStore(`sqlite:${empty}`)).close();
  let runs = 0;
  return {
    name: 'SQLite',
    async start() {
      runs += 1;
      const file = folder.join(`${runs}.db`);
      copyFileSync(empty, file);
      return runOver(`sqlite:${file}`);
    },
  };
}

/** All runs use one database, which is emptied before each. */
async function postgres(): Promise<Kind> {
  const url = await createPostgres();
  await (await openStore(url)).close();
  const tables = await queryPostgres(
    url,
    "select string_agg(format('%I', tablename), ', ') as names from pg_tables where schemaname = 'public' and tablename <> 'schema_version'",
  );
  const { names } = tables[0] as { readonly names: string };
  const statements = names.split(', ').map((name) => `delete from ${name}`);
  // A replica deletes in any order and without triggers.
  const empty = ['set session_replication_role = replica', ...statements].join('; ');
  return {
    name: 'PostgreSQL',
    async start() {
      await queryPostgres(url, empty);
      return runOver(url);
    },
  };
}

/** Every run has its own object, which is its only process. */
async function durableObjects(): Promise<Kind & Pick<Workerd, 'stop'>> {
  const workerd = await runWorker(fileURLToPath(new URL('./durable-store.fixture.ts', import.meta.url)));
  let runs = 0;
  return {
    name: 'Durable Object',
    async start() {
      runs += 1;
      const address = `${workerd.url}/${runs}`;
      const post = (body: unknown) =>
        fetchAlone(new globalThis.Request(address, { method: 'POST', body: JSON.stringify(body) }));
      return {
        send: async (request) => (await post(request)).json() as Promise<Response>,
        restart: async () => void (await post('restart')),
        close: async () => {},
      };
    },
    stop: workerd.stop,
  };
}

/** The stores that are compared with the one in memory, once the tests of a file begin. */
export function allKinds(): readonly Kind[] {
  const kinds: Kind[] = [];
  const folder = temporaryFolder();
  let stop = async () => {};
  beforeAll(async () => {
    kinds.push(await sqlite(folder));
    if (inject('postgres') !== undefined) kinds.push(await postgres());
    const objects = await durableObjects();
    stop = objects.stop;
    kinds.push(objects);
  });
  afterAll(() => stop());
  return kinds;
}
