import { after } from '../timer.ts';

/** Milliseconds to wait for the report of a policy that blocked a request. */
const GRACE = 100;
const PATIENCE = 5000;

/** The result of a repeated request. */
interface Probe {
  readonly answered: boolean;
  /** How the page's policy must change, if it blocked the request. */
  readonly advice?: string | undefined;
}

/** Requests a URL again to find out whether anything responds and whether the page's policy blocks it. */
export async function probe(address: string, image = false): Promise<Probe> {
  let advice: string | undefined;
  const record = (event: SecurityPolicyViolationEvent): void => {
    const { blockedURI, disposition } = event;
    // A policy that only reports blocks nothing.
    if (disposition !== 'enforce') return;
    if (address.startsWith(blockedURI) || blockedURI.startsWith(address)) advice = widenPolicy(event, address);
  };
  document.addEventListener('securitypolicyviolation', record);
  const answered = await (image ? load(address) : head(address)).then(
    () => true,
    () => false,
  );
  if (!answered) await new Promise<void>((resolve) => after(GRACE, resolve));
  document.removeEventListener('securitypolicyviolation', record);
  return { answered, advice };
}

/** Any response will do, even one that this page may not read. */
function head(address: string): Promise<unknown> {
  return fetch(address, {
    method: 'HEAD',
    mode: 'no-cors',
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE),
  });
}

function load(address: string): Promise<unknown> {
  const image = new Image();
  image.src = address;
  return image.decode();
}

/**
 * How the page's policy must change to allow the origin of `address`. A missing directive is written with the sources of
 * `default-src`, which it replaces: what the page itself requests must stay allowed.
 */
function widenPolicy({ originalPolicy, effectiveDirective }: SecurityPolicyViolationEvent, address: string): string {
  const { origin } = new URL(address);
  const directives = originalPolicy.split(';').map((directive) => directive.trim());
  const find = (name: string): string | undefined => directives.find((directive) => directive.split(/\s/)[0] === name);
  const present = find(effectiveDirective);
  const [, ...sources] = (present ?? find('default-src') ?? '').split(/\s+/);
  // Of the quoted sources only 'self' is an origin.
  const retained = sources.filter((source) => source === "'self'" || !source.startsWith("'"));
  const widened = [effectiveDirective, ...retained, origin].join(' ');
  const change = present ? `change its "${present}" to` : 'add';
  return `the page's Content-Security-Policy blocks ${origin}; ${change} "${widened}"`;
}
