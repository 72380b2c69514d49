import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { follow, isSetup, readGuide } from './guide.ts';

const root = resolve(import.meta.dirname, '../..');
const GUIDES = { nextjs: 'nextjs.md', astro: 'astro.md', sveltekit: 'svelte.md', nuxt: 'vue.md' } as const;
/** The sections of guides for several frameworks. */
const SECTIONS: Readonly<Record<string, string>> = { sveltekit: 'SvelteKit', nuxt: 'Nuxt' };

/** The blocks of the guide for an example. */
const guideOf = (example: keyof typeof GUIDES) =>
  readGuide(GUIDES[example]).filter(({ section }) => section === (SECTIONS[example] ?? section));

/**
 * Builds the site of an example in a new folder, like a reader of its guide: the guide provides everything that it
 * installs and writes, and the example only the rest, such as a layout. Returns the folder of the site.
 */
export async function installExample(example: keyof typeof GUIDES, parent: string): Promise<string> {
  const site = join(parent, 'site');
  cpSync(join(root, 'examples', example), site, { recursive: true });
  const setup = guideOf(example).filter(isSetup);
  for (const { path } of setup) if (path) rmSync(join(site, path), { force: true });
  const installed = setup
    .filter(({ path }) => path === undefined)
    .map(({ code }) => code)
    .join(' ');
  const names = installed.split(/\s+/).map((word) => /^[@a-z][\w./@-]*$/.exec(word)?.[0]);
  const manifest = JSON.parse(readFileSync(join(site, 'package.json'), 'utf8'));
  for (const kind of ['dependencies', 'devDependencies']) {
    for (const name of Object.keys(manifest[kind] ?? {})) {
      if (name.startsWith('@broadsheet/') || names.includes(name)) delete manifest[kind][name];
    }
  }
  writeFileSync(join(site, 'package.json'), JSON.stringify(manifest));
  await follow(setup, { folder: site });
  return site;
}
