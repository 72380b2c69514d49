import type { Incoming } from './answer/incoming.ts';
import { checkOptions, refuse, type SetOf, setOf } from './check-options.ts';
import type { InputError } from './errors/error-kinds.ts';
import { createRedact, type Redact } from './errors/redact.ts';
import type { ClientOptions } from './options.ts';
import type { Deadline } from './request/deadline.ts';

/** A read in flight, and the calls that wait for it. Its own deadline ends it when no call waits any longer. */
export interface SharedRead {
  readonly deadline: Deadline;
  /** The deadline of the call that began it. */
  readonly leader: Deadline;
  readonly response: Promise<Incoming>;
  /** The deadlines of the calls that wait for it. */
  readonly waiting: Set<Deadline>;
}

const DEFAULTS = { timeout: 30_000 as number | false, maxBodyBytes: 32 * 1024 * 1024 };
/** The options that always have a value. */
export type Defaults = Readonly<typeof DEFAULTS>;

/** The options of a client, read and checked. Only closures hold it, so that inspecting a client never shows the key. */
export interface Settings {
  /** The base URL without a trailing slash. */
  readonly base: string;
  readonly apiKey: string;
  /** Distinguishes the responses of two keys in a cache. */
  readonly keyHash: string;
  /** Removes the key from messages. */
  readonly redact: Redact;
  readonly options: SetOf<ClientOptions> & Defaults;
  /** The kinds of drift that were already reported. */
  readonly reported: Set<string>;
  /** Whether a response said that the server counts deliveries of one idempotency key once. */
  acceptsKeys: boolean;
  /** The headers of the last successful delivery, for the widget. */
  adHeaders?: Incoming['headers'];
  /** Reads in flight, which equal reads share. */
  readonly inFlight: Map<string, SharedRead>;
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

const wrong = (message: string): InputError => refuse(undefined, message);

/**
 * Reads the options of a client.
 *
 * @throws InputError for a missing `baseUrl` or `apiKey`, or an option that is not valid. The message never contains the key.
 */
export function readSettings(options: ClientOptions): Settings {
  checkOptions(undefined, options);
  const apiKey = options.apiKey ?? fromEnvironment('BROADSHEET_API_KEY');
  if (!apiKey) throw wrong('apiKey is missing: pass it to createClient or set BROADSHEET_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw wrong('apiKey contains characters that a header cannot carry: copy it again.');
  }
  const base = readBase(options);
  if ('document' in globals && !options.browser)
    import('./notice-key.ts').then(({ noticeKey }) => noticeKey()).catch(() => {});
  return {
    base,
    apiKey,
    keyHash: fnv1a(apiKey),
    redact: createRedact(apiKey),
    options: { ...DEFAULTS, ...setOf(options) },
    reported: new Set(),
    acceptsKeys: false,
    inFlight: new Map(),
  };
}

// It only distinguishes keys and needs no secrecy: a key has 256 random bits.
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n);
  return hash.toString(36);
}

/** The options of a client with others over them. Headers, `fetchOptions` and middleware are merged. */
export function mergeOptions({ base, apiKey, options }: Settings, own: ClientOptions): ClientOptions {
  checkOptions(undefined, own);
  return {
    ...{ ...options, baseUrl: base, apiKey, ...setOf(own) },
    headers: { ...plainHeaders(options.headers), ...plainHeaders(own.headers) },
    fetchOptions: { ...options.fetchOptions, ...own.fetchOptions },
    middleware: [...(options.middleware ?? []), ...(own.middleware ?? [])],
  };
}

function readBase(options: ClientOptions): string {
  const given = options.baseUrl ?? fromEnvironment('BROADSHEET_BASE_URL');
  if (!given) throw wrong('baseUrl is missing: pass it to createClient or set BROADSHEET_BASE_URL.');
  let url: URL;
  try {
    url = new URL(given, globals.location?.href);
  } catch {
    throw notAbsolute(String(given));
  }
  if (!url.host) throw notAbsolute(String(given));
  if (url.username || url.password)
    throw wrong('baseUrl holds a user name or password: the key is the only credential.');
  const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (loopback || options.allowInsecureHttp))) {
    throw wrong(
      `baseUrl is ${url.protocol}//${url.host}: the key needs https. For a trusted network set allowInsecureHttp: true.`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** `localhost:4811` is a URL, too: of the protocol `localhost:`. */
const notAbsolute = (given: string): InputError =>
  wrong(`baseUrl is "${given}": write a full URL, such as https://blog.example/api.`);

/** Headers as an object with names in lower case, so that a later one replaces an earlier one of any case. */
export function plainHeaders(headers: ClientOptions['headers']): Readonly<Record<string, string>> {
  if (!headers) return {};
  // `Headers` of any implementation, such as the one of the undici package, are iterable and have no properties.
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value]])),
  );
}
