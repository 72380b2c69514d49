import { withoutTrailingSlashes } from '@broadsheet/contract';
import type { MiddlewareHandler } from 'hono';

/** An attribute of a page that leads to this server. Text of people cannot match, because its quotes are escaped. */
const LINK = /( (?:href|src|action|formaction)=")(?=\/(?:panel|report|broadsheet)[^"]*")/g;
const COOKIE_PATH = /(; Path=)(?=\/panel)/i;

/**
 * Serves the panel and the reports below the path of `PUBLIC_URL`, such as `/blog`, which the proxy removes from requests:
 * pages are written as if they were at the root, and every path that leaves gets the prefix here.
 */
export function belowBasePath(publicUrl: string | undefined): MiddlewareHandler {
  const base = publicUrl === undefined ? '' : withoutTrailingSlashes(new URL(publicUrl).pathname);
  return async function addBasePath(c, next) {
    await next();
    if (base === '') return;
    const { headers, status } = c.res;
    const cookies = headers.getSetCookie();
    const isPage = headers.get('content-type')?.startsWith('text/html');
    const location = headers.get('location');
    if (!isPage && !location && cookies.length === 0) return;
    const changed = new Headers(headers);
    if (location?.startsWith('/')) changed.set('location', base + location);
    changed.delete('set-cookie');
    for (const cookie of cookies) changed.append('set-cookie', cookie.replace(COOKIE_PATH, `$1${base}`));
    const body = isPage ? (await c.res.text()).replace(LINK, `$1${base}`) : c.res.body;
    c.res = undefined;
    c.res = new Response(body, { status, headers: changed });
  };
}
