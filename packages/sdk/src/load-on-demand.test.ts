import { expect, test, vi } from 'vitest';
import { loadOnDemand } from './load-on-demand.ts';

test('a part that a browser cannot load is a failure of the network, and worth another try', async () => {
  vi.doMock('./on-demand.ts', () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
  const failed = loadOnDemand();
  await expect(failed).rejects.toMatchObject({ name: 'NetworkError', code: 'NETWORK_ERROR', retryable: true });
  await expect(failed).rejects.toThrow('the part of the client that reads this answer could not be loaded.');
});
