import './doors/web-platform.ts';
import { HttpResponse, http } from 'msw';
import { makeMock } from './worlds/create-mock.ts';
import type { Mock, MockOptions } from './worlds/mock.ts';

// The values of the main entry point; its types are the same on every platform.
export { AD_FORMATS, ENDPOINT_IDS } from '@broadsheet/contract';
export { sampleBlog } from './data/sample-blog.ts';
export { TRANSPORT_FAULTS } from './faults/fault.ts';
export { OffContractError } from './journal/off-contract.ts';
export { LENSES } from './lenses/lens.ts';

/**
 * Creates a mock in a page: as in Node, but it cannot listen.
 *
 * @example
 * ```ts
 * await setupWorker(...createMock().handlers()).start();
 * ```
 * @throws TypeError for an invalid base URL
 */
export function createMock(options?: MockOptions): Mock {
  return makeMock({ msw: () => ({ http, HttpResponse }) }, options);
}
