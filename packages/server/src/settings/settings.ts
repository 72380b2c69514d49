import { isIP } from 'node:net';
import { accept, choice, digits, fallback, optional, record, text } from '@broadsheet/contract';
import { isAddressRange, LOG_LEVELS, type TrustedProxies } from '@broadsheet/http';
import { OperationError, problemsAt, readServerUrl } from '@broadsheet/management';
import { readDatabase } from './database-url.ts';
import type { Environment } from './environment.ts';

/** The flags of `serve`, as they were typed. */
export interface ServeFlags {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly database?: string | undefined;
  readonly import?: string | undefined;
  readonly opsPort?: string | undefined;
  readonly opsHost?: string | undefined;
}

/** The time limit of statements, in seconds; 0 for none. */
const TIMEOUT = { DATABASE_TIMEOUT: digits({ default: 10, min: 0, max: 3600 }) };

/** The port of the API. */
const PORT = digits({ default: 4500, min: 0, max: 65_535 });

/** The rules of flags and variables, by the names under which their problems are reported. */
const RULES = {
  ...TIMEOUT,
  '--port': PORT,
  PORT,
  '--ops-port': digits({ default: 0, min: 0, max: 65_535 }),
  DATABASE_POOL: digits({ default: 10, min: 1, max: 1000 }),
  ALLOW_PRIVATE_WEBHOOKS: digits({ default: 0, min: 0, max: 1 }),
  BROADSHEET_SECRET: optional(text({ min: 32 })),
  LOG_LEVEL: fallback(choice(LOG_LEVELS), 'info'),
};

export type ServeSettings = ReturnType<typeof readServeSettings>;

/** Reads the flags and the environment. @throws OperationError with all problems */
export function readServeSettings(flags: ServeFlags, env: Environment) {
  const problems: string[] = [];
  const portFlags = { '--port': flags.port, '--ops-port': flags.opsPort };
  const read = accept(record(RULES), present({ ...env, ...portFlags, ...(flags.port !== undefined && { PORT: '' }) }));
  // An empty variable is absent, but an empty flag, from a variable that is not set, would select another port.
  for (const [flag, port] of Object.entries(portFlags)) {
    if (port?.trim() === '') problems.push(`${flag}: expected a whole number from 0 to 65535, received ""`);
  }
  if (flags.opsHost !== undefined && flags.opsPort === undefined) problems.push('--ops-host requires --ops-port');
  const others = {
    host: readHost(flags.host, env, problems),
    database: readDatabase(flags.database, env, problems),
    importPath: flags.import,
    publicUrl: readUrl('PUBLIC_URL', env, problems),
    docsUrl: readUrl('DOCS_URL', env, problems),
    trustProxy: readTrustProxy(env['TRUST_PROXY'], problems),
    rateLimits: {
      key: readRateLimit('RATE_LIMIT', env, problems),
      address: readRateLimit('RATE_LIMIT_ADDRESS', env, problems),
      slots: readRateLimit('RATE_LIMIT_SLOTS', env, problems),
    },
  };
  if (!read.ok) throw new OperationError([...problemsAt(read.fields), ...problems]);
  if (problems.length > 0) throw new OperationError(problems);
  const { value } = read;
  return {
    ...others,
    port: flags.port === undefined ? value.PORT : value['--port'],
    /** The address of `/metrics` and `/docs`, if they have their own. */
    ops:
      flags.opsPort === undefined
        ? undefined
        : { port: value['--ops-port'], host: withoutBrackets(flags.opsHost ?? LOOPBACK) },
    secret: value.BROADSHEET_SECRET,
    allowPrivateWebhooks: value.ALLOW_PRIVATE_WEBHOOKS === 1,
    logLevel: value.LOG_LEVEL,
    poolSize: value.DATABASE_POOL,
    statementTimeout: value.DATABASE_TIMEOUT * 1000,
  };
}

const LOOPBACK = '127.0.0.1';

/**
 * The address to listen on. Hosting platforms set `PORT`, and connect from outside. `HOST` counts only if it is an
 * address, because shells store the name of the machine in it.
 */
function readHost(flag: string | undefined, env: Environment, problems: string[]): string {
  const variable = env['HOST'] ?? '';
  const usual = env['PORT'] ? '::' : LOOPBACK;
  const host = withoutBrackets(flag ?? (isIP(withoutBrackets(variable)) === 0 ? usual : variable));
  if (host.includes('/')) {
    const fix = 'name an address, such as 127.0.0.1, or :: for all';
    problems.push(`--host: ${host} is a path, and sockets are not supported; ${fix}`);
  }
  return host;
}

/** An IPv6 address as in a URL, such as `[::1]`, without its brackets. */
const withoutBrackets = (host: string): string => /^\[(.*)\]$/.exec(host)?.[1] ?? host;

/** An empty variable counts as absent. */
const present = (values: Environment): object => Object.fromEntries(Object.entries(values).filter(([, text]) => text));

/** The time limit of statements, in milliseconds; 0 for none. @throws OperationError */
export function readStatementTimeout(env: Environment): number {
  const read = accept(record(TIMEOUT), present(env));
  if (read.ok) return read.value.DATABASE_TIMEOUT * 1000;
  throw new OperationError(problemsAt(read.fields));
}

/** A setting that is the URL of a server. */
function readUrl(name: string, env: Environment, problems: string[]): string | undefined {
  try {
    return env[name] ? readServerUrl(name, env[name]) : undefined;
  } catch (error) {
    problems.push((error as OperationError).message);
    return undefined;
  }
}

/** The number of proxies, or their addresses. */
function readTrustProxy(text: string | undefined, problems: string[]): TrustedProxies {
  if (!text) return 0;
  const ranges = text.split(',').map((range) => range.trim());
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  if (hops === undefined ? ranges.every(isAddressRange) : hops <= 32) return hops ?? ranges;
  const expected = 'the addresses of proxies, such as 127.0.0.1,10.0.0.0/8, or their number from 0 to 32';
  problems.push(`TRUST_PROXY: expected ${expected}, received ${JSON.stringify(text)}`);
  return 0;
}

/** A rate, or `Infinity` for `off`; without the setting, the default of the server applies. */
function readRateLimit(name: string, env: Environment, problems: string[]): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (text === 'off') return Infinity;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  problems.push(`${name}: expected a number per second above 0, such as 50, or off, received ${JSON.stringify(text)}`);
  return undefined;
}
