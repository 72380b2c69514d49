import { test } from 'vitest';
import { createServer } from './create-server.ts';
import type { ServerOptions } from './index.ts';

declare const options: ServerOptions;

test('a server has no option that it would ignore', () => {
  void createServer({ ...options, extraRoutes: () => undefined });
  // @ts-expect-error only its parts measure anything
  void createServer({ ...options, measures: () => ({}) });
  // @ts-expect-error only the panel and /manage receive files
  void createServer({ ...options, slowPaths: ['/upload/'] });
});
