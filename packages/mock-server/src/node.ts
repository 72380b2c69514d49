import { findMsw } from './doors/msw-library.ts';
import * as check from './worlds/checks.ts';
import { makeMock, type Platform } from './worlds/create-mock.ts';
import type { Mock, MockOptions } from './worlds/mock.ts';
import { createSharedCache } from './worlds/shared-cache.ts';
import * as written from './worlds/written-content.ts';

/** Tests read the same few pages again and again. */
const CACHED_BYTES = 4 * 2 ** 20;

const NODE: Platform = {
  check,
  written,
  msw: findMsw,
  async listen(mock, docsUrl, options) {
    check.listen(options ?? {});
    return (await import('./doors/listen.ts')).listen(mock, docsUrl, options);
  },
};

/**
 * Creates a mock: seeded, deterministic, without configuration.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const blog = createClient({ ...mock.connection, fetch: mock.fetch });
 * mock.main.fail('posts.list', 500);
 * ```
 * @throws TypeError for a base URL that is none
 */
export function createMock(options?: MockOptions): Mock {
  return makeMock({ ...NODE, cache: createSharedCache(CACHED_BYTES) }, options);
}
