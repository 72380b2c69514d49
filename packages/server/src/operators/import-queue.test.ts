import { expect, it } from 'vitest';
import { createImportQueue } from './import-queue.ts';

it('an import that takes too long ends, so that the next one can begin', async () => {
  const runAlone = createImportQueue(1);
  const client = new AbortController().signal;
  const endless = runAlone(
    client,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const next = runAlone(client, async () => 'next');
  await expect(endless).rejects.toThrow('nothing was imported');
  expect(await next).toBe('next');
});

it('an import that fails for another reason reports it', async () => {
  const runAlone = createImportQueue();
  const client = new AbortController().signal;
  await expect(runAlone(client, () => Promise.reject(new Error('the disk is full')))).rejects.toThrow(
    'the disk is full',
  );
});
