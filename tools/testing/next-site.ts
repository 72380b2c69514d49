import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const program = (site: string) => join(site, 'node_modules/next/dist/bin/next');
const environment = (env: NodeJS.ProcessEnv) => ({
  ...process.env,
  NODE_OPTIONS: '',
  NEXT_TELEMETRY_DISABLED: '1',
  ...env,
});

/** Runs `next build` in an installed site, without the responses of an earlier build. @throws Error with its whole output, if it fails */
export async function buildNext(site: string, env: NodeJS.ProcessEnv): Promise<void> {
  rmSync(join(site, '.next/cache/fetch-cache'), { recursive: true, force: true });
  // Not synchronously, because a mock may run in this process.
  const build = spawn(process.execPath, [program(site), 'build'], { cwd: site, env: environment(env) });
  let printed = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(build, 'close');
  if (code !== 0) throw new Error(`next build ended with ${code}:\n${printed}`);
}

/** Runs `next start` in a site that was built, by default on a free port. */
export async function startNext(site: string, env: NodeJS.ProcessEnv, port = 0) {
  const args = [program(site), 'start', '--port', String(port), '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, args, { cwd: site, env: environment(env) });
  const closed = once(server, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    void closed.then(([code]) => reject(new Error(`next start ended with ${code}`)));
    server.stdout.on('data', (chunk) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
      if (found) resolve(found);
    });
  });
  const stop = async () => {
    server.kill();
    await closed;
  };
  return { url, stop };
}
