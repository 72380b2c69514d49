import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres, queryPostgres } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import { listenForChanges } from './changes.ts';

/** A database with a blog, and what listens to its changes by a URL. */
async function setup(through: (url: string) => Promise<string> = async (url) => url) {
  const url = await createPostgres();
  const store = await openStore(url);
  onTestFinished(() => store.close());
  await store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'] }, 0);
  const heardUrl = await through(url);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: heardUrl }) }),
  });
  const changes = listenForChanges(db, heardUrl);
  onTestFinished(async () => {
    await changes.close();
    await db.destroy();
  });
  const heard: (string | undefined)[] = [];
  changes.listen((blogId) => heard.push(blogId));
  return { url, store, changes, heard };
}

/** Passes everything on to PostgreSQL and back, but no notification: so does a pool of connections in between. */
async function withoutNotifications(url: string): Promise<string> {
  const host = new URL(url.replace('@/', '@host/')).searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const postgres = connectTo(`${host}/.s.PGSQL.5432`);
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.pipe(postgres);
    let rest = Buffer.alloc(0);
    postgres.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
        rest = rest.subarray(message.length);
        if (message[0] !== 'A'.charCodeAt(0)) client.write(message);
      }
    });
    postgres.on('end', () => client.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return url.replace('@/', `@127.0.0.1:${port}/`).replace(/\?.*/, '');
}

describe.skipIf(!inject('postgres'))('changes of PostgreSQL', () => {
  test('are told by the blog, and as long as there are none what was read stays good', async () => {
    const { store, changes, heard } = await setup();
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    const epoch = changes.epoch();
    heard.length = 0;
    await store.addKey('b', 'another', 0);
    await store.revokeKeys('b', undefined, 1);
    await store.createBlog({ id: 'long'.repeat(1000), name: 'Long', domains: [] });
    await store.deleteBlog('b');
    await expect.poll(() => [...new Set(heard)]).toEqual(['b', undefined]);
    // Longer than anything is trusted without a beat.
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(1500);
    expect(changes.epoch()).toBe(epoch);
  });

  test('that were missed while the connection was away are taken for changes of every blog', async () => {
    const { url, changes, heard } = await setup();
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    const epoch = changes.epoch();
    heard.length = 0;
    await queryPostgres(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
    );
    await expect.poll(() => changes.epoch()).toBeGreaterThan(0);
    await expect.poll(() => changes.epoch()).toBeLessThan(0);
    expect(changes.epoch()).not.toBe(epoch);
    expect(heard).toContain(undefined);
  });

  test('that nobody passes on are not waited for: what was read has a short life', async () => {
    const { changes } = await setup(withoutNotifications);
    const epochs = new Set<number>();
    await expect
      .poll(() => {
        epochs.add(changes.epoch());
        return epochs.size;
      })
      .toBeGreaterThan(3);
    expect(Math.min(...epochs)).toBeGreaterThanOrEqual(0);
  });
});
