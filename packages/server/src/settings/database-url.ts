import type { Environment } from './environment.ts';

/** The default database. */
const DEFAULT_DATABASE = 'sqlite:./broadsheet.db';

/** The database from the flag, `DATABASE_URL` or the default. Messages never show a password in a refused URL. */
export function readDatabase(
  flag: string | undefined,
  env: Environment,
  problems: string[],
  name = '--database',
): string {
  const url = (flag ?? (env['DATABASE_URL'] || DEFAULT_DATABASE)).trim();
  const source = flag === undefined ? 'DATABASE_URL' : name;
  if (!/^(sqlite:.|(postgres(ql)?|https?):\/\/.)/.test(url)) {
    problems.push(
      `${source}: expected sqlite:PATH or postgres://…, or https://… of a server, received ${received(url)}`,
    );
  } else if (/^sqlite:\/\/(?!\/)/.test(url)) {
    const path = url.slice('sqlite://'.length);
    problems.push(`${source}: what follows sqlite: is a path; write sqlite:${path}, or sqlite:/${path} from the root`);
  }
  const mode = /^postgres.*[?&]sslmode=([^&]*)/s.exec(url)?.[1];
  if (mode !== undefined && !TLS_MODES.includes(mode)) {
    problems.push(`${source}: sslmode: expected ${TLS_MODES.join(', ')}, received ${JSON.stringify(mode)}`);
  }
  return url;
}

/** How a connection to PostgreSQL is encrypted, and whether the certificate is checked. */
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

function received(url: string): string {
  if (/^["'`]/.test(url)) return 'a value that begins with a quote; the quotes became part of it: leave them out';
  const scheme = /^[a-z][\w+.-]*:/i.exec(url)?.[0];
  return scheme ?? (/^[\w./\\~-]{0,100}$/.test(url) ? JSON.stringify(url) : 'a value without one of these schemes');
}

/** A connection string without its password, which may contain any character, including `@` and `/`. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):.*@/s, '$1:…@').replace(/([?&]\w*password=)[^&]*/gi, '$1…');
}

/** Whether the password contains characters that must be encoded in a URL. */
export function hasBarePassword(url: string): boolean {
  const password = /^postgres(?:ql)?:\/\/[^:/@]*:(.*)@/s.exec(url)?.[1];
  return password !== undefined && /[@:/?#\s]|%(?![\da-f]{2})/i.test(password);
}
