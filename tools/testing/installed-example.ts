import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sdk = join(root, 'packages/sdk');

/** Builds the SDK for {@link installExample}, unless `BUILT` is set because `pnpm check` has already built it. */
export function buildSdk(): void {
  if (!process.env['BUILT']) run('pnpm', ['build'], sdk);
}

/** Copies an example into an empty folder and installs it with the packed SDK, as a reader would. */
export function installExample(name: string, folder: string): void {
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  run('pnpm', ['pack', '--pack-destination', folder], sdk);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  manifest.dependencies['@broadsheet/sdk'] = `file:./${tarball}`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], folder);
}
