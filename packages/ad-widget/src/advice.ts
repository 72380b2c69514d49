import { statusOf } from './transport.ts';

const given = new Set<string>();

function say(advice: string): void {
  if (given.has(advice)) return;
  given.add(advice);
  console.warn(`broadsheet: ${advice}`);
}

/** The page's policy stopped something of ours: prints the directive that is missing, once. */
export function adviseOnPolicy({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void {
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
  else {
    say(
      `no answer from ${baseUrl} (${reason}); if it is up, the page's policy needs "connect-src ${new URL(baseUrl, location.href).origin}" and the API must answer "Access-Control-Allow-Origin: ${location.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`,
    );
  }
}
