import { afterEach, expect, test, vi } from 'vitest';
import { client, failureOf } from '../../test/support/client.ts';
import { envelope, json } from '../../test/support/responses.ts';
import { samplePost } from '../../test/support/samples.ts';
import { serve } from '../../test/support/serve.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const full = new Error('the log is full');
const hooks = {
  throws: (): void => {
    throw full;
  },
  rejects: async (): Promise<void> => {
    throw full;
  },
};

// An unhandled rejection would fail the run.
test.each(Object.entries(hooks))('a hook that %s does not affect the call, and is reported', async (_, hook) => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const drifting = await serve((__, response) =>
    json(response, 200, { success: true, data: { ...samplePost('1'), authorId: 7 } }),
  );
  expect((await client(drifting.url, { onEvent: hook, onDrift: hook }).posts.get('1')).id).toBe('1');
  await expect.poll(() => reported.mock.calls.length).toBe(3); // request, response, drift
  expect(reported).toHaveBeenCalledWith('Broadsheet: onEvent threw', full);
  expect(reported).toHaveBeenCalledWith('Broadsheet: onDrift threw', full);
  const failing = await serve((__, response) => json(response, 404, envelope(404, 'NOT_FOUND')));
  expect(await failureOf(client(failing.url, { onEvent: hook }).posts.get('1'))).toMatchObject({ code: 'NOT_FOUND' });
});
