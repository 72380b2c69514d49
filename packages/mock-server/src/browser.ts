import { http } from 'msw';
import { type Mock, type MockOptions, makeMock } from './mock.ts';

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
