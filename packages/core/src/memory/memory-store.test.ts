import { storeCases } from '@broadsheet/conformance';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../index.ts';

describe('the memory store fulfils the Store port', () => {
  for (const { name, run } of storeCases) test(name, () => run(async () => ({ store: createMemoryStore() })));
});

test('a restored state has a new revision, so nothing cached meanwhile is mistaken for it', () => {
  const store = createMemoryStore();
  const write = (title: string) =>
    store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts: [{ id: '1', title, slug: 'one' }] }, 0);
  const seen = new Set<string | undefined>();
  const revisions = () => seen.add(store.findBlog('key')?.revision).size;
  write('Before');
  const state = store.snapshot();
  expect(revisions()).toBe(1);
  write('After');
  expect(revisions()).toBe(2);
  store.restore(state);
  expect(store.getPost('b', '1')).toMatchObject({ title: 'Before' });
  expect(revisions()).toBe(3);
  store.revokeKey('key');
  store.restore(state);
  expect(revisions()).toBe(4);
});
