import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';
import { HEADERS, NO_FORMS } from './headers.ts';

const OWN_FORMS = "default-src 'none'; base-uri 'none'; form-action 'self'";
const OWN_SCRIPTS = "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; style-src 'self'";

/** A page of the panel may load its own files, and frames from the same origin. Nothing in it is inline. */
const PAGE_POLICY = `${OWN_FORMS}; ${OWN_SCRIPTS}; img-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'`;

/** The policy of the frame in which the widget draws an ad: as for a page, plus images from any host. */
export const AD_POLICY = `${OWN_FORMS}; ${OWN_SCRIPTS}; img-src * data:; frame-ancestors 'self'`;

/** The policy of the frame with the text of a post: an opaque origin that runs no scripts and sends no forms. */
export const TEXT_POLICY = `${NO_FORMS}; style-src 'self'; img-src * data:; media-src *; frame-ancestors 'self'; sandbox`;

/** A page as HTML. @param c the request, which the components of the page read */
export const render = (c: Context | null, page: Child): string =>
  `<!doctype html>\n${<RequestContext.Provider value={c}>{page}</RequestContext.Provider>}`;

/** A response with a page and its policy. */
export function send(
  c: Context | null,
  page: Child,
  { status = 200, policy = PAGE_POLICY }: { readonly status?: number; readonly policy?: string } = {},
): Response {
  return new Response(render(c, page), {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

/** Redirects to another page after a change, so that reloading does not repeat the change. */
export function goTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, ...headers, location: path } });
}
