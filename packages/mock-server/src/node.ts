import { createResponseCache } from '@broadsheet/core';
import { findMsw } from './doors/msw.ts';
import { makeMock, type Platform } from './worlds/create-mock.ts';
import type { Mock, MockOptions } from './worlds/mock.ts';

/** The size of the cache that all worlds of a mock share: tests read the same few pages repeatedly. */
const CACHED_BYTES = 4 * 2 ** 20;

/**
 * Creates a mock: seeded, deterministic, without configuration.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const blog = createClient({ ...mock.connection, fetch: mock.fetch });
 * mock.main.fail('posts.list', 500);
 * ```
 * @throws TypeError for an invalid base URL
 */
export function createMock(options?: MockOptions): Mock {
  const platform: Platform = {
    msw: findMsw,
    cache: createResponseCache(CACHED_BYTES),
    async listen(mock, options) {
      return (await import('./doors/listen.ts')).listen(mock, options);
    },
  };
  return makeMock(platform, options);
}
