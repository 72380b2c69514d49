import { type Started, startServer } from '../child.ts';

/**
 * Starts `broadsheet serve` over a database with its default settings, except that it does not log and believes
 * `X-Forwarded-For`: the load comes from this machine, but each reader has an IP address.
 */
export function serve(
  database: string,
  settings: Readonly<Record<string, string>> = {},
  preload: readonly string[] = [],
): Promise<Started> {
  const args = [...preload, 'packages/server/src/main.ts', 'serve', '--port', '0', '--database', database];
  return startServer(args, { LOG_LEVEL: 'silent', TRUST_PROXY: '1', ...settings });
}
