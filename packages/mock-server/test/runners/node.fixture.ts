import { afterEach, test } from 'node:test';
import { defineTests } from './world-test.fixture.ts';

const define = (name: string, body: () => Promise<void>, timeout?: number) =>
  test(name, { ...(timeout !== undefined && { timeout }) }, body);
defineTests({ test: Object.assign(define, { skip: test.skip }), afterEach });
