import { http } from 'msw';
import { makeMock } from './worlds/create-mock.ts';
import type { Mock, MockOptions } from './worlds/mock.ts';

export * from './exports.ts';

/**
 * Creates a mock in a page: as in Node, but it cannot listen.
 *
 * @example
 * ```ts
 * await setupWorker(...createMock().handlers()).start();
 * ```
 * @throws TypeError for a base URL that is none
 */
export function createMock(options?: MockOptions): Mock {
  return makeMock({ msw: () => http }, options);
}
