import { expect, test, vi } from 'vitest';
import { loadOnDemand } from './load-on-demand.ts';

test('a chunk that a browser cannot load is a retryable NetworkError', async () => {
  vi.doMock('./on-demand.ts', () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
  const failed = loadOnDemand();
  await expect(failed).rejects.toMatchObject({ name: 'NetworkError', code: 'NETWORK_ERROR', retryable: true });
  await expect(failed).rejects.toThrow('a part of the client that this call needs could not be loaded.');
});
