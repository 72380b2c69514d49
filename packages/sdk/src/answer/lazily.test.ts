import { expect, test } from 'vitest';
import { lazily } from './lazily.ts';

test('a part that a browser cannot load is a failure of the network, and worth another try', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module');
  const failed = lazily(() => Promise.reject(cause));
  await expect(failed).rejects.toMatchObject({ name: 'NetworkError', code: 'NETWORK_ERROR', retryable: true, cause });
  await expect(failed).rejects.toThrow('the part of the client that reads this answer could not be loaded.');
});
