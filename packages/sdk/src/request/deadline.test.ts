import { expect, test, vi } from 'vitest';
import { Deadline } from './deadline.ts';

const call = { endpoint: 'posts.get', url: 'https://blog.example/public/posts/1' } as const;

test('work that would begin after the end is not begun', async () => {
  const caller = new AbortController();
  const deadline = new Deadline(call, false, undefined, caller.signal);
  caller.abort();
  const work = vi.fn(async () => 'late');
  await expect(deadline.race('connect', work)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(work).not.toHaveBeenCalled();
});

test('an end during the work ends it, although the work goes on', async () => {
  const caller = new AbortController();
  const deadline = new Deadline(call, false, undefined, caller.signal);
  const result = deadline.race('body', () => new Promise(() => {}));
  caller.abort('enough');
  await expect(result).rejects.toMatchObject({ code: 'ABORTED', phase: 'body', cause: 'enough' });
  expect(deadline.signal.aborted).toBe(true);
});
