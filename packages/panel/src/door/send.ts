const COMMON = ["default-src 'none'", "base-uri 'none'", "form-action 'self'"];
const SCRIPTS = ["script-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"];

/** What a page of the panel may load: its own files, and frames of its own for previews. Nothing inline. */
const PAGE_POLICY = [
  ...COMMON,
  ...SCRIPTS,
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Of the frame in which the widget draws an ad: as a page, with the pictures of advertisers. */
export const AD_POLICY = [...COMMON, ...SCRIPTS, "style-src 'self'", 'img-src * data:', "frame-ancestors 'self'"].join(
  '; ',
);

/** Of the frame that shows the text of a post: an origin of its own in which nothing runs and nothing is sent. */
export const TEXT_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "style-src 'self'",
  'img-src * data:',
  'media-src *',
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

/** Headers of everything the panel answers. */
export const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** A page that was written in JSX. */
export interface PageContent {
  toString(): string | Promise<string>;
}

/** A page as an answer, with the policy that holds for it. */
export function send(
  page: PageContent,
  { status = 200, policy = PAGE_POLICY }: { readonly status?: number; readonly policy?: string } = {},
): Response {
  return new Response(`<!doctype html>\n${page}`, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

/** Leads on to another page after a change, so that loading it again repeats nothing. */
export function goTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, ...headers, location: path } });
}
