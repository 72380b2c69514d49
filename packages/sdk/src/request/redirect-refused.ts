import type { EndpointId } from '../endpoint-id.ts';
import type { Failure } from '../errors/failure.ts';

/** What a redirect is that is not followed; it says which of the reasons there are is the one. */
export function redirectRefused(
  { endpoint, method }: { readonly endpoint: EndpointId; readonly method: string },
  from: string,
  { type, status, headers }: Response,
): Failure {
  const location = headers.get('location');
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  const move = 'set baseUrl to the final address';
  const to = `to ${target?.origin}${target?.pathname}`;
  const why = target
    ? target.origin !== new URL(from).origin
      ? `${to}, where the key is not sent: ${move}`
      : method === 'GET'
        ? `${to}, and so on: it was followed as often as a redirect is. Is it a loop?`
        : `${to}, and a ${method} is not sent twice: ${move}`
    : type === 'opaqueredirect'
      ? `, and a page cannot see where to: ${move}`
      : location === null
        ? 'without a Location: mend the server, or check baseUrl'
        : `to ${JSON.stringify(location.slice(0, 200))}, which is no URL: mend the server, or check baseUrl`;
  return {
    kind: 'RedirectError',
    message: `${endpoint}: ${method} ${from} redirects ${why}.`.replace(' ,', ',').replace('?.', '?'),
    facts: {
      code: 'REDIRECT_REFUSED',
      phase: 'answer',
      status: status || undefined,
      requestId: headers.get('x-request-id') ?? undefined,
    },
  };
}
