import { readFile, writeFile } from 'node:fs/promises';
import type { SnapshotBlogInput } from '@broadsheet/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createMock } from '../node.ts';
import type { KnownDeviation } from './parity.ts';

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly seed: string;
  readonly apiKey?: string;
  readonly clock: 'real' | 'virtual';
  readonly import?: string;
  readonly allowOrigin: readonly string[];
}

interface ParityFlags {
  readonly apiKey: string;
  readonly clicks: boolean;
  readonly origin?: string;
  readonly apiMdOnly: boolean;
  readonly allow?: 'extra-fields';
  readonly known?: string;
  readonly json?: string;
  readonly junit?: string;
}

type Write = (line: string) => void;

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
}

const origins = (origin: string, before: readonly string[]): readonly string[] => [...before, origin];

/** The command line of `broadsheet-mock`. */
export function program(write: Write = console.log): Command {
  const command = new Command('broadsheet-mock')
    .description('The Broadsheet API as a mock over HTTP: seeded, without a database.')
    .enablePositionalOptions()
    .option('-p, --port <number>', 'port; 0 takes a free one', port, 4510)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <text>', 'decides all data and every chance event', 'broadsheet')
    .option('--api-key <key>', 'key of the main world, instead of one made up')
    .addOption(
      new Option('--clock <pace>', 'whether time flows or waits for the control plane')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .option('--import <path>', 'a snapshot, a Ghost export or a folder of Markdown, instead of the sample')
    .option('--allow-origin <origin>', 'an origin that may control the mock; repeat it for several', origins, [])
    .action((options: ServeOptions) => serve(options, write));
  addRecord(command, write);
  addParity(command, write);
  return command;
}

async function serve(
  { port: wanted, host, seed, apiKey, clock, import: path, allowOrigin }: ServeOptions,
  write: Write,
) {
  // Worlds that are made later begin when they are made.
  const worlds = () => ({ pace: clock, ...(clock === 'real' && { start: Date.now() }) });
  const [first, ...more] = path === undefined ? [] : await importBlogs(path, write);
  const main = { ...worlds(), ...(apiKey !== undefined && { apiKey }), ...(first && { blog: first }) };
  const mock = createMock({ seed, main });
  const others = more.map((blog) => mock.world({ ...worlds(), name: blog.id, blog }));
  const { url } = await mock.listen({ port: wanted, host, worlds, allowOrigins: allowOrigin });
  write(`${url}  X-API-Key: ${mock.main.apiKey}  control: ${new URL(url).origin}/__mock`);
  for (const { name, apiKey: key } of others) write(`${url}  X-API-Key: ${key}  blog: ${name}`);
}

/**
 * Reads blogs for worlds from what `broadsheet import` takes: a snapshot, a Ghost export or a folder of Markdown. Notes
 * on what was changed or left out are written.
 *
 * @throws Error with every problem, when there is any
 */
export async function importBlogs(path: string, write: Write): Promise<readonly SnapshotBlogInput[]> {
  // The readers are large and most mocks serve the sample.
  const { readContent } = await import('@broadsheet/content');
  const content = await readContent(path);
  if (!content.ok) {
    const problems = content.problems.map(({ at, message }) => `  ${at}: ${message}`);
    throw new Error([`${path} cannot be imported:`, ...problems].join('\n'));
  }
  for (const note of content.notes) write(`note: ${note}`);
  return content.snapshot.blogs;
}

function addRecord(command: Command, write: Write): void {
  command
    .command('record')
    .description('Read a live blog into a snapshot, as far as its API shows it, and print that.')
    .argument('<url>', 'what stands before /public/...')
    .requiredOption('--api-key <key>', 'key of the blog to read')
    .option('--ads', 'also the ads; each delivery counts an impression there', false)
    .action(async (url: string, { apiKey, ads }: { readonly apiKey: string; readonly ads: boolean }) => {
      const { record } = await import('./record.ts');
      write(JSON.stringify(await record({ url, apiKey, ads }), null, 2));
    });
}

function addParity(command: Command, write: Write): void {
  command
    .command('parity')
    .description('Hold a live API and the mock against the API document, and print where they differ.')
    .argument('<url>', 'what stands before /public/...')
    .requiredOption('--api-key <key>', 'key of the blog to ask')
    .option('--clicks', 'also run what records impressions and clicks', false)
    .option('--origin <origin>', 'a page of the blog, where it has domains; looked for in its content by default')
    .option('--api-md-only', 'check only what the API document states, not what Broadsheet decided beyond it', false)
    .addOption(new Option('--allow <what>', 'what the live API may do besides').choices(['extra-fields']))
    .option('--known <file>', 'JSON list of { section, name, reason }: deviations that are known and no difference')
    .option('--json <file>', 'also write the comparison to a file as JSON')
    .option('--junit <file>', 'also write it as a JUnit report')
    .action(async (url: string, { json, junit: junitFile, allow, known: knownFile, ...options }: ParityFlags) => {
      // The suite is large and the mock seldom needs it.
      const { parity } = await import('./parity.ts');
      const known = knownFile === undefined ? [] : await readKnown(knownFile);
      const report = await parity({ url, ...options, allowExtraFields: allow === 'extra-fields', known, write });
      if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
      if (junitFile !== undefined) await writeFile(junitFile, (await import('./junit.ts')).junit(report));
      if (report.differences > 0) process.exitCode = 1;
    });
}

async function readKnown(file: string): Promise<readonly KnownDeviation[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`--known: ${file} cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
}
