import { fileURLToPath } from 'node:url';
import { storeCases } from '@broadsheet/conformance/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchAlone, runWorker, type Workerd } from '../../../tools/testing/workerd.ts';

describe('a Durable Object, in workerd', () => {
  let workerd: Workerd;
  beforeAll(async () => {
    workerd = await runWorker(fileURLToPath(new URL('./durable-suite.fixture.ts', import.meta.url)));
  });
  afterAll(() => workerd.stop());

  for (const [index, { name }] of storeCases.entries()) {
    test(name, async () => {
      const response = await fetchAlone(new Request(`${workerd.url}/${index}`));
      expect(await response.text()).toBe('ok');
    });
  }
});
