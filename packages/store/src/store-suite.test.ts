import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeCases } from '@broadsheet/conformance';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { openStore } from './open-store.ts';
import { createDatabase } from './postgres-testing.ts';
import type { ServerStore } from './server-store.ts';

const opened: ServerStore[] = [];
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'broadsheet-suite-'));
});
afterAll(async () => {
  for (const store of opened) await store.close();
  await rm(directory, { recursive: true });
});

async function open(url: string): Promise<{ store: ServerStore }> {
  const store = await openStore(url);
  opened.push(store);
  return { store };
}

describe('SQLite file', () => {
  for (const { name, run } of storeCases) {
    test(name, () => run(() => open(`sqlite:${join(directory, `${opened.length}.db`)}`)));
  }
});

describe('SQLite in memory', () => {
  for (const { name, run } of storeCases) test(name, () => run(() => open('sqlite::memory:')));
});

const postgres = inject('postgres');
describe.skipIf(!postgres)('PostgreSQL', () => {
  for (const { name, run } of storeCases) test(name, () => run(async () => open(await createDatabase(postgres))));
});
