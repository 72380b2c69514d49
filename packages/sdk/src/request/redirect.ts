import type { Outgoing } from '../calls/outgoing.ts';
import type { Core } from '../on-demand-core.ts';

const MOST = 3;

/** A response that redirects. */
export interface Hop {
  readonly from: string;
  readonly response: Response;
  /** The number of redirects before this one. */
  readonly hops: number;
}

/**
 * The target of a redirect, which is followed only for a GET and within the origin, so never from https to http.
 *
 * @throws RedirectError for any other redirect.
 */
export function redirectTarget(core: Core, outgoing: Outgoing, hop: Hop): string {
  const { id, endpoint } = outgoing;
  const { from, response, hops } = hop;
  const { method } = endpoint;
  const { status, type, headers } = response;
  const location = headers.get('location');
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  const isOwn = target?.origin === new URL(from).origin;
  if (target && isOwn && method === 'GET' && hops < MOST) return target.href;
  const to = `${target?.origin}${target?.pathname}`;
  let why = `too many redirects, last to ${to}`;
  if (type === 'opaqueredirect') why = 'a browser hides the target';
  else if (location === null) why = 'the response has no Location header';
  else if (!target) why = `${JSON.stringify(location.slice(0, 200))} is not a URL`;
  else if (!isOwn) why = `the API key is not sent to another origin, ${to}`;
  else if (method !== 'GET') why = `a ${method} is not sent again, to ${to}`;
  throw new core.RedirectError(`${id}: ${method} ${from} was redirected: ${why}. Set baseUrl to the final URL.`, {
    code: 'REDIRECT_REFUSED',
    phase: 'response',
    status: status || undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  });
}
