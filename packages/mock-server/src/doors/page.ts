import type { Caller } from '@broadsheet/core';
import { toFetch, type WorldAnswer } from './answer.ts';

/** What `fetch` makes of an answer: a broken connection is a rejection. */
export function asFetch(answer: WorldAnswer): Response {
  if (answer.status !== 0) return toFetch(answer);
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

/** The page a request comes from, where requests do not say so themselves: in a browser, this one. */
export function pageOf(request?: Request): Caller {
  const { referrer = '' } = request ?? {};
  const origin = URL.canParse(referrer) ? new URL(referrer).origin : 'null';
  const page = (globalThis as { location?: { origin?: string } }).location;
  // What is no page, such as `about:client`, has the origin null.
  return { origin: [origin, page?.origin].find((one) => one && one !== 'null') };
}
