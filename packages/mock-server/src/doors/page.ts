import type { Caller } from '@broadsheet/core';

/** What `fetch` makes of an answer: the network error of the Fetch standard is a rejection. */
export function asFetch(response: Response): Response {
  if (response.type !== 'error') return response;
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

/** The page a request comes from, where requests do not say so themselves: in a browser, this one. */
export function pageOf(request?: Request): Caller {
  const referrer = request?.referrer;
  if (referrer && URL.canParse(referrer) && referrer !== 'about:client') return { origin: new URL(referrer).origin };
  const page = (globalThis as { location?: { origin?: string } }).location?.origin;
  return page && page !== 'null' ? { origin: page } : {};
}
