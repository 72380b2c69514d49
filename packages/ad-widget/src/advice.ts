import { statusOf } from './transport.ts';

/** Milliseconds a policy that blocks has to say so. */
const GRACE = 100;
const given = new Set<string>();

function say(advice: string): void {
  if (given.has(advice)) return;
  given.add(advice);
  console.warn(`broadsheet: ${advice}`);
}

/**
 * Prints, once, what the publisher can do about something that could not be had.
 *
 * @param address The API's base with the `cause` of the failure, or an image's address without one.
 */
export async function advise(address: string, cause?: unknown): Promise<void> {
  const status = statusOf(cause);
  const reason = cause instanceof Error ? cause.message : 'an image';
  if (status === 401) say(`${address} does not know this API key (${reason}); check data-api-key`);
  else if (status === 403 && window.origin === 'null') {
    say(
      `clicks from this frame are refused (${reason}): it has no origin, as its sandbox lacks "allow-same-origin"; add that, or put the slots outside the frame`,
    );
  } else if (status === 403) {
    say(`clicks from ${location.origin} are refused (${reason}); set the blog's domain to ${location.hostname}`);
  } else if (status) say(reason);
  else {
    const { origin, href } = new URL(address, location.href);
    const directive = await blockedBy(href, cause === undefined);
    if (directive) say(`the page's Content-Security-Policy blocks ${origin}; add "${directive} ${origin}" to it`);
    else if (cause !== undefined) say(unreachable(address, origin, reason));
  }
}

/** Asks for the address once more, to hear from the page's policy itself which of its directives is in the way. */
function blockedBy(address: string, image: boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    const heard = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
      if (address.startsWith(blockedURI) || blockedURI.startsWith(address)) done(effectiveDirective);
    };
    const done = (directive?: string): void => {
      document.removeEventListener('securitypolicyviolation', heard);
      resolve(directive);
    };
    document.addEventListener('securitypolicyviolation', heard);
    if (image) new Image().src = address;
    else fetch(address, { method: 'HEAD', mode: 'no-cors', credentials: 'omit' }).catch(() => undefined);
    setTimeout(done, GRACE);
  });
}

function unreachable(baseUrl: string, origin: string, reason: string): string {
  return `no answer from ${baseUrl} (${reason}); if it is up, the page's policy needs "connect-src ${origin}" and the API must answer "Access-Control-Allow-Origin: ${window.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`;
}
