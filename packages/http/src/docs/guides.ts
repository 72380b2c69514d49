import { readdir, readFile } from 'node:fs/promises';

/** A text in Markdown that comes with the server, by its path in the repository (`docs/guides/node.md`). */
export type Guides = ReadonlyMap<string, string>;

const FOLDERS = ['docs', 'docs/guides'];
const PACKAGES = ['sdk', 'ad-widget', 'mock-server', 'server'];

/** The paths of the guides under a root, in no order. */
export async function findGuides(root: URL): Promise<string[]> {
  const found = FOLDERS.map(async (folder) => {
    const names = await readdir(new URL(`${folder}/`, root));
    return names.filter((name) => /\.(md|txt)$/.test(name)).map((name) => `${folder}/${name}`);
  });
  return [...(await Promise.all(found)).flat(), ...PACKAGES.map((name) => `packages/${name}/README.md`)];
}

let loaded: Promise<Guides> | undefined;

/** Every guide, read once: from the repository, or from where the build has put them. */
export function loadGuides(): Promise<Guides> {
  loaded ??= read(new URL(import.meta.url.endsWith('.ts') ? '../../../../' : './guides/', import.meta.url));
  return loaded;
}

async function read(root: URL): Promise<Guides> {
  try {
    const texts = (await findGuides(root)).map(
      async (path) => [path, await readFile(new URL(path, root), 'utf8')] as const,
    );
    return new Map(await Promise.all(texts));
  } catch (error) {
    // A program that carries the server in a bundle of its own need not carry its guides.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Where a server shows a guide, below `/docs/`: `guides/node` for `docs/guides/node.md`. */
export function slugOf(path: string): string {
  return path.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '');
}

/** The path that a link of one guide means, whether there is such a guide or not. */
export function follow(from: string, href: string): string {
  return new URL(href, `file:///${from}`).pathname.slice(1);
}
