import type { AdMemory } from './ads/known-tokens.ts';
import { callHook } from './calls/call-hook.ts';
import type { Shared } from './calls/shared.ts';
import { checkOptions, inputError, type SetOf, setOf } from './check-options.ts';
import type { EndpointId } from './endpoint-id.ts';
import type { InputError } from './errors/error-kinds.ts';
import { createRedact, type Redact } from './errors/redact.ts';
import type { ClientOptions, FetchOptions } from './options.ts';
import type { Middleware } from './request/middleware.ts';
import type { Incoming } from './response/incoming.ts';

const DEFAULTS = { timeout: 30_000 as number | false, maxBodyBytes: 32 * 1024 * 1024 };
/** The options that always have a value. */
export type Defaults = Readonly<typeof DEFAULTS>;

/** The options of a client, read and checked. Only closures hold them: inspecting a client never shows the key. */
export interface Settings {
  /** The base URL without a trailing slash. */
  readonly base: string;
  readonly apiKey: string;
  /** Removes the key from messages. */
  readonly redact: Redact;
  readonly options: SetOf<ClientOptions> & Defaults;
  /** The headers of a request that has none of its own, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetchOptions: FetchOptions;
  readonly middleware: readonly Middleware[];
  /** The things on which the responses of a client depend, besides their URL. */
  readonly variant: readonly unknown[];
  /** The kinds of drift that were already reported. */
  readonly reported: Set<string>;
  /** The requests in progress that equal calls join. */
  readonly inFlight: Map<string, Shared<Incoming>>;
  readonly ads: AdMemory;
}

interface Globals {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly document?: unknown;
  readonly location?: { readonly href: string };
}

const globals = globalThis as Globals;

function fromEnvironment(name: string): string | undefined {
  try {
    return globals.process?.env?.[name];
  } catch {
    return undefined; // Deno without permission to read the environment
  }
}

const wrong = (why: string): InputError => inputError(undefined, why);

/**
 * Reads the options of a client, which take precedence over the options of the client that it is made from. Headers,
 * `fetchOptions` and middleware are added.
 *
 * @throws InputError for a missing `baseUrl` or `apiKey`, or an option that is not valid. The message never contains the key.
 */
export function readSettings(own: ClientOptions, origin?: Settings): Settings {
  checkOptions(undefined, own);
  const options = { ...DEFAULTS, ...origin?.options, ...setOf(own) };
  const apiKey = options.apiKey ?? fromEnvironment('BROADSHEET_API_KEY');
  const baseUrl = options.baseUrl ?? fromEnvironment('BROADSHEET_BASE_URL');
  if (!apiKey || !baseUrl) throw wrong(missing({ apiKey, baseUrl }));
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw wrong('apiKey contains characters that a header cannot carry: copy it again');
  }
  const base = readBase(baseUrl, options.allowInsecureHttp);
  if ('document' in globals && !options.browser) noticeKey();
  const key = { 'x-api-key': apiKey };
  const headers = joinHeaders(undefined, { accept: 'application/json' }, origin?.headers, own.headers, key);
  const middleware = [...(origin?.middleware ?? []), ...(own.middleware ?? [])];
  return {
    base,
    apiKey,
    redact: createRedact(apiKey),
    options: { ...options, baseUrl: base, apiKey },
    headers,
    fetchOptions: forRuntime({ ...origin?.fetchOptions, ...own.fetchOptions }),
    middleware,
    variant: [JSON.stringify(headers), options.fetch, ...middleware],
    reported: new Set(),
    inFlight: new Map(),
    ads: origin?.base === base && origin.apiKey === apiKey ? origin.ads : { tokens: new Map(), inFlight: new Map() },
  };
}

let noticed = false;

/** Logs once that visitors of the page can read the key. */
function noticeKey(): void {
  const advice = 'If this is intended, pass { browser: true } to createClient.';
  const notice = `Broadsheet: every visitor of this page can read the API key. ${advice}`;
  if (!noticed) callHook('console', console.info, notice);
  noticed = true;
}

/** Names all missing options at once. */
function missing(given: Pick<ClientOptions, 'apiKey' | 'baseUrl'>): string {
  const variables = { apiKey: 'BROADSHEET_API_KEY', baseUrl: 'BROADSHEET_BASE_URL' } as const;
  const names = (['apiKey', 'baseUrl'] as const).filter((name) => !given[name]);
  const them = names.length > 1 ? 'are missing: pass them' : 'is missing: pass it';
  return `${names.join(' and ')} ${them} to createClient or set ${names.map((name) => variables[name]).join(' and ')}`;
}

function readBase(given: string | URL, allowInsecureHttp = false): string {
  const page = globals.location?.href;
  const url = URL.canParse(given, page) ? new URL(given, page) : undefined;
  // `localhost:4811` is a URL, too: of the protocol `localhost:`.
  if (!url?.host) throw wrong(`baseUrl is "${given}": write a full URL, such as https://blog.example/api`);
  if (url.username || url.password || url.search || url.hash)
    throw wrong('baseUrl must have no user name, password, query or fragment');
  if (/\/public\/?$/.test(url.pathname)) throw wrong('baseUrl must not end in /public');
  const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (loopback || allowInsecureHttp))) {
    throw wrong(
      `baseUrl is ${url.protocol}//${url.host}: the key needs https. For a trusted network set allowInsecureHttp: true`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * Headers as an object with names in lower case, sorted by name. A later header replaces an earlier one, regardless of
 * case.
 *
 * @throws InputError for a header that cannot be sent. The message of the runtime would quote the value.
 */
export function joinHeaders(
  id: EndpointId | undefined,
  ...sources: readonly ClientOptions['headers'][]
): Readonly<Record<string, string>> {
  const joined = new Headers();
  for (const source of sources) {
    // `Headers` of any implementation, such as the undici package, are iterable and have no properties.
    const entries = source && Symbol.iterator in source ? source : Object.entries(source ?? {});
    for (const [name, value] of entries) {
      try {
        if (value !== undefined) joined.set(name, value);
      } catch {
        throw inputError(id, `the header ${name} cannot be sent: check its characters`);
      }
    }
  }
  return Object.fromEntries(joined);
}

/** workerd throws for most cache modes, and for all of them before November 2024. */
export function forRuntime({ cache, ...options }: FetchOptions): FetchOptions {
  return cache && globalThis.navigator?.userAgent !== 'Cloudflare-Workers' ? { ...options, cache } : options;
}
