import { isAddressRange, LOG_LEVELS, type LogLevel, type TrustedProxies } from '@broadsheet/http';
import { type Environment, readDatabase } from './database-url.ts';

/** The flags of `serve`, as they were typed. */
export interface ServeFlags {
  readonly port: string;
  readonly host: string;
  readonly database?: string | undefined;
  readonly import?: string | undefined;
  readonly opsPort?: string | undefined;
  readonly opsHost?: string | undefined;
}

/** The flags and the environment, parsed and checked. */
export type ServeSettings = ReturnType<typeof readServeSettings>['settings'];

/** Reads the settings, and reports all of their problems together. */
export function readServeSettings(flags: ServeFlags, env: Environment) {
  const problems: string[] = [];
  const settings = {
    port: wholeNumber('--port', flags.port, [0, 65_535], problems),
    host: flags.host,
    /** The address of `/metrics` and `/docs`, if they have their own. */
    ops:
      flags.opsPort === undefined
        ? undefined
        : { port: wholeNumber('--ops-port', flags.opsPort, [0, 65_535], problems), host: flags.opsHost ?? '127.0.0.1' },
    database: readDatabase(flags.database, env, problems),
    importPath: flags.import,
    publicUrl: webAddress('PUBLIC_URL', env, problems),
    docsUrl: webAddress('DOCS_URL', env, problems),
    secret: readSecret(env['BROADSHEET_SECRET'] || undefined, problems),
    trustProxy: readTrustProxy(env['TRUST_PROXY'], problems),
    rateLimits: {
      key: readRateLimit('RATE_LIMIT', env, problems),
      address: readRateLimit('RATE_LIMIT_ADDRESS', env, problems),
      slots: readRateLimit('RATE_LIMIT_SLOTS', env, problems, DEFAULT_SLOTS),
    },
    allowPrivateWebhooks:
      wholeNumber('ALLOW_PRIVATE_WEBHOOKS', env['ALLOW_PRIVATE_WEBHOOKS'] || '0', [0, 1], problems) === 1,
    logLevel: readLogLevel(env['LOG_LEVEL'], problems),
    poolSize: wholeNumber('DATABASE_POOL', env['DATABASE_POOL'] || '10', [1, 1000], problems),
    /** In milliseconds; 0 means no limit. */
    statementTimeout: readStatementTimeout(env, problems),
  };
  if (flags.opsHost !== undefined && flags.opsPort === undefined) problems.push('--ops-host requires --ops-port');
  return { settings, problems };
}

/** The time limit of statements, in milliseconds; 0 for none. */
export const readStatementTimeout = (env: Environment, problems: string[]): number =>
  wholeNumber('DATABASE_TIMEOUT', env['DATABASE_TIMEOUT'] || '10', [0, 3600], problems) * 1000;

function wholeNumber(name: string, text: string, [min, max]: readonly [number, number], problems: string[]): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
  problems.push(`${name}: expected a whole number from ${min} to ${max}, received ${JSON.stringify(text)}`);
  return min;
}

/** A setting that is the URL of a server. */
export function webAddress(name: string, env: Environment, problems: string[]): string | undefined {
  const text = env[name] || undefined;
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text))) {
    problems.push(`${name}: expected an http(s) URL, received ${JSON.stringify(text)}`);
  } else if (text !== undefined && /[?#]/.test(text)) {
    problems.push(`${name}: must not contain a query or a fragment, received ${JSON.stringify(text)}`);
  }
  return text;
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

function readSecret(text: string | undefined, problems: string[]): string | undefined {
  if (text !== undefined && text.length < 32) {
    problems.push(
      `BROADSHEET_SECRET: expected at least 32 characters, received ${text.length}; leave it out to use the one stored in the database`,
    );
  }
  return text;
}

/**
 * Ad slots per second and address unless the environment sets another limit. A site that renders its pages on a server
 * requests the ads of all its readers from one address, so the default is far above what one reader sends.
 */
const DEFAULT_SLOTS = 1000;

/** @param byDefault the limit without a setting; `off` in the environment removes it */
function readRateLimit(name: string, env: Environment, problems: string[], byDefault?: number): number | undefined {
  const text = env[name];
  if (!text) return byDefault;
  if (text === 'off') return undefined;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  problems.push(`${name}: expected a number per second above 0, such as 50, or off, received ${JSON.stringify(text)}`);
  return undefined;
}

function readLogLevel(text: string | undefined, problems: string[]): LogLevel {
  const level = LOG_LEVELS.find((name) => name === (text || 'info'));
  if (!level) problems.push(`LOG_LEVEL: expected one of ${LOG_LEVELS.join(', ')}, received ${JSON.stringify(text)}`);
  return level ?? 'info';
}
