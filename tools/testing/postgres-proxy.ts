import { onTestFinished } from 'vitest';
import { type Between, proxyPostgres } from './proxy-postgres.ts';

/** Starts a proxy between a test and its PostgreSQL until the test ends. Returns the URL of the proxy. */
export async function betweenPostgres(url: string, between: Between): Promise<string> {
  const proxy = await proxyPostgres(url, between);
  onTestFinished(proxy.close);
  return proxy.url;
}

/** The message with which PostgreSQL closes a connection. */
export function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
