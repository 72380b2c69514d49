import { storeCases } from '@broadsheet/conformance';
import { describe, test } from 'vitest';
import { createMemoryStore } from '../index.ts';

describe('the memory store fulfils the Store port', () => {
  for (const { name, run } of storeCases) test(name, () => run(async () => ({ store: createMemoryStore() })));
});
