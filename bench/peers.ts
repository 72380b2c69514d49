import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('./', import.meta.url));

/** Installs the reference programs in this folder only, unless they are already installed. */
export async function installPeers(say: (text: string) => void): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(`${here}package.json`, 'utf8'));
  if (Object.keys(dependencies).every((name) => existsSync(`${here}node_modules/${name}`))) return;
  say('installing the peers');
  try {
    execFileSync('pnpm', ['install', '--frozen-lockfile'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    say('the peers could not be installed; rows that need them are not measured');
  }
}
