import './doors/web-platform.ts';
import { http } from 'msw';
import { makeMock } from './worlds/create-mock.ts';
import type { Checks } from './worlds/create-world.ts';
import type { Mock, MockOptions } from './worlds/mock.ts';

// The values of the main door; its types are the same everywhere.
export { AD_FORMATS, ENDPOINT_IDS } from '@broadsheet/contract';
export { sampleBlog } from './data/sample-blog.ts';
export { DISRUPTIONS } from './faults/fault.ts';
export { OffContractError } from './journal/off-contract.ts';
export { LENSES } from './lenses/lens.ts';

function inNodeAlone(): never {
  throw new Error('a page has no JSON of worlds');
}

/** A page loads the checks when something is to be checked; what is wrong is reported as an uncaught rejection. */
const check = new Proxy({} as Checks, {
  get:
    (_, name: keyof Checks) =>
    async (...given: unknown[]): Promise<void> => {
      const checks: Checks = await import('./worlds/checks.ts');
      (checks[name] as (...given: unknown[]) => void)(...given);
    },
});

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
  return makeMock({ msw: () => http, check, written: { write: inNodeAlone, read: inNodeAlone } }, options);
}
