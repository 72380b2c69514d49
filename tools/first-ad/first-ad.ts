import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSite } from '../testing/site.ts';

/** The program of a publisher, installed or from source. */
export interface Programs {
  /** Runs `broadsheet` with arguments in the publisher's folder, and resolves to what it printed. */
  run(...args: readonly string[]): Promise<string>;
  /** Starts `broadsheet serve` there. */
  serve(): Promise<{ readonly url: string; stop(): Promise<unknown> }>;
}

/** A reader who opens a page in a browser. */
export interface Reader {
  /** Opens the page, looks at its ad until the first promise is fulfilled, clicks it, and stays until the second is. */
  visit(url: string, isSeen: () => Promise<void>, isClicked: () => Promise<void>): Promise<void>;
}

export interface FirstAd {
  readonly folder: string;
  readonly programs: Programs;
  readonly reader: Reader;
  /** Runs a step. By default, nothing is printed. */
  readonly step?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** What else is done before the server stops. */
  readonly finish?: (server: { readonly url: string; readonly key: string }) => Promise<void>;
}

/** What is counted, and what a sponsor pays for. */
interface Figures {
  readonly valid: number;
  readonly viewable: number;
  readonly clicks: number;
}

const POST =
  '---\ntitle: Hello world\nslug: hello-world\ndate: 2026-01-31\n---\n\nThe first post, set in letterpress.\n';
const BLOG = 'my-blog';
const README = join(import.meta.dirname, '../../README.md');

/**
 * Does what a publisher does, with the default settings: imports posts, sells a campaign, puts README's script tag into a
 * page, and waits until a reader has seen and clicked the ad and the sponsor's link shows it.
 *
 * @returns what the report shows
 */
export async function firstAd({
  folder,
  programs,
  reader,
  step = (_, work) => work(),
  finish,
}: FirstAd): Promise<Figures> {
  const { run } = programs;
  const key = await step('import a folder of Markdown', async () => {
    await mkdir(join(folder, 'posts'), { recursive: true });
    await writeFile(join(folder, 'posts/hello-world.md'), POST);
    return partOf(await run('import', 'posts', '--blog', BLOG, '--name', 'My Blog'), /shown only once: (\S+)/);
  });
  await using page = await openSite(({ url }, response) =>
    response.setHeader('content-type', 'text/html').end(url === '/' ? html : ''),
  );
  let html = '';
  const campaign = await step('sell a campaign with an ad', async () => {
    const goal = ['--sponsor', 'Tea & Co', '--name', 'Spring', '--goal-impressions', '1000', '--pace', 'fast'];
    const id = partOf(await run('campaigns', 'add', BLOG, ...goal), /^Added (\S+)\.$/m);
    const ad = ['--format', 'BANNER', '--title', 'Tea', '--link', `${page.url}/tea`, '--campaign', id];
    await run('ads', 'add', BLOG, ...ad);
    return id;
  });
  const server = await step('start the server', programs.serve);
  try {
    html = await pageWithAds(server.url, key);
    const until = (name: keyof Figures) => waitFor(async () => (await figuresOf(run))[name] === 1, name);
    await step('a reader sees the ad, and clicks it', async () => {
      await reader.visit(
        page.url,
        () => until('viewable'),
        () => until('clicks'),
      );
    });
    const figures = await step("the sponsor's link shows it", async () => {
      const printed = await run('campaigns', 'report', BLOG, campaign, '--link');
      // Without a public URL, the link begins with the default address of the server.
      const path = partOf(printed, /(\/report\/[\w-]{43})/);
      const shown = sumOf(await (await fetch(`${server.url}${path}.csv`)).text());
      const stored = await figuresOf(run);
      if (JSON.stringify(shown) === JSON.stringify(stored)) return shown;
      throw new Error(`The report shows ${JSON.stringify(shown)}, and stats ${JSON.stringify(stored)}.`);
    });
    await finish?.({ url: server.url, key });
    return figures;
  } finally {
    await server.stop();
  }
}

function partOf(printed: string, pattern: RegExp): string {
  const [, part] = pattern.exec(printed) ?? [];
  if (part === undefined) throw new Error(`Expected ${pattern} in:\n${printed}`);
  return part;
}

/** README's script tag and slots in a page, for this server and key. */
async function pageWithAds(url: string, key: string): Promise<string> {
  const tag = partOf(await readFile(README, 'utf8'), /```html\n(.*?broadsheet\.js.*?)```/s);
  const body = tag.replaceAll('https://blog.example', url).replaceAll('YOUR_KEY', key);
  return `<!doctype html><meta charset="utf-8"><title>My Blog</title><link rel="icon" href="data:,">\n${body}`;
}

async function figuresOf(run: Programs['run']): Promise<Figures> {
  const { ads } = JSON.parse(await run('stats', BLOG, '--json')) as { ads: readonly Record<string, unknown>[] };
  const sum = (name: string) => ads.reduce((total, ad) => total + Number(ad[name] ?? 0), 0);
  return { valid: sum('valid'), viewable: sum('viewable'), clicks: sum('clicks') };
}

/** The sums of the columns of a report's file. */
function sumOf(csv: string): Figures {
  const [names = [], ...rows] = csv
    .trim()
    .split('\r\n')
    .map((line) => line.replace(/[\uFEFF"]/g, '').split(','));
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[names.indexOf(name)]), 0);
  return { valid: sum('valid'), viewable: sum('viewable'), clicks: sum('clicks') };
}

/** Waits up to half a minute. */
async function waitFor(holds: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await holds())) if (performance.now() > end) throw new Error(`No ${what} was counted within 30 seconds.`);
}
