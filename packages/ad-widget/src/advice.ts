import { statusOf } from './transport.ts';

/** Milliseconds the policy's own event, which says it better, may come after the failed request. */
const GRACE = 100;
const given = new Set<string>();
let policy = false;

function say(advice: string): void {
  if (given.has(advice)) return;
  given.add(advice);
  console.warn(`broadsheet: ${advice}`);
}

/** The page's policy stopped something of ours: prints the directive that is missing, once. */
export function adviseOnPolicy({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void {
  policy = true;
  const { origin } = new URL(blockedURI);
  say(`the page's Content-Security-Policy blocks ${blockedURI}; add "${effectiveDirective} ${origin}" to it`);
}

/** A request failed: prints what the publisher can do about it, once. */
export function adviseOnFailure(baseUrl: string, cause: unknown): void {
  const status = statusOf(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (status === 401) say(`${baseUrl} does not know this API key (${reason}); check data-api-key`);
  else if (status === 403) {
    say(`clicks from ${location.origin} are refused (${reason}); set the blog's domain to ${location.hostname}`);
  } else if (status) say(reason);
  else setTimeout(() => policy || say(unreachable(baseUrl, reason)), GRACE);
}

function unreachable(baseUrl: string, reason: string): string {
  const { origin } = new URL(baseUrl, location.href);
  return `no answer from ${baseUrl} (${reason}); if it is up, the page's policy needs "connect-src ${origin}" and the API must answer "Access-Control-Allow-Origin: ${location.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`;
}
