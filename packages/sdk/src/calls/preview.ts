import { refuse } from '../check-options.ts';
import { createRedact } from '../errors/redact.ts';
import type { CallOptions } from '../options.ts';
import type { Settings } from '../settings.ts';
import type { Task } from './task.ts';

/** How to read the post that a preview token opens: nothing caches or shares the response, and no error has the token. */
export function previewTask(settings: Settings, token: string, options: CallOptions = {}): [Settings, Task] {
  if (typeof token !== 'string' || !/^[\w.-]+$/.test(token))
    throw refuse('preview', 'preview: the token is missing or damaged: pass the token from a preview link.');
  const redact = createRedact(token);
  const { cache: _, fetchOptions, ...own } = settings.options;
  const { next: __, cf: ___, ...fetching } = fetchOptions ?? {};
  return [
    {
      ...settings,
      redact: (text) => settings.redact(redact(text)),
      options: { ...own, dedupe: false, nextTags: false, fetchOptions: { ...fetching, cache: 'no-store' } },
    },
    { id: 'preview', options, headers: () => ({ authorization: `Bearer ${token}` }) },
  ];
}
