import { RedirectError } from '../errors/error-kinds.ts';
import type { Exchange } from './exchange.ts';

/** The error of a redirect that is not followed, with the reason. */
export function redirectRefused({ id, endpoint }: Exchange, from: string, response: Response): RedirectError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const message = `${id}: ${endpoint.method} ${from} was redirected: ${reasonOf(endpoint.method, from, response)}.`;
  const facts = { code: 'REDIRECT_REFUSED', phase: 'answer', status: status || undefined, requestId } as const;
  return new RedirectError(message, facts);
}

function reasonOf(method: string, from: string, { type, headers }: Response): string {
  if (type === 'opaqueredirect') return 'a browser hides the target. Set baseUrl to the final URL';
  const location = headers.get('location');
  if (location === null) return 'the response has no Location header. Check baseUrl';
  if (!URL.canParse(location, from)) return `${JSON.stringify(location.slice(0, 200))} is not a URL. Check baseUrl`;
  const { origin, pathname } = new URL(location, from);
  if (origin !== new URL(from).origin) {
    return `the API key is not sent to another origin, ${origin}${pathname}. Set baseUrl to the final URL`;
  }
  if (method !== 'GET') return `a ${method} is not sent again, to ${origin}${pathname}. Set baseUrl to the final URL`;
  return `too many redirects, last to ${origin}${pathname}`;
}
