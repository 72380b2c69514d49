import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

/** A code block of a guide. */
export interface Block {
  /** The guide and the line, for messages. */
  readonly at: string;
  readonly language: string;
  readonly code: string;
  /** The section of the second level that contains it. */
  readonly section: string;
  /** The file that the text before it or its first line names. */
  readonly path?: string;
  /** The folder in `examples` of that file, if it is there. */
  readonly example?: string;
  /** Why it is not executed: `<!-- not run: … -->` before it. */
  readonly mark?: string;
}

const BLOCK = /^```(\w+)\n(.*?)^```$/gms;
const NOT_RUN = /<!-- not run: (.+?) -->$/s;
const LINKED = /\]\(\.\.\/\.\.\/examples\/([\w-]+)\/(\S+)\):$/;
const NAMED = /`([\w./-]*\.\w+)`:$/;
const FIRST_LINE = /^(?:\/\/|#) (\S+\.\w+)\n/;

/** The code blocks of a guide, in order. */
export function readGuide(name: string): readonly Block[] {
  const text = readFileSync(join(root, 'docs/guides', name), 'utf8');
  return [...text.matchAll(BLOCK)].map(({ 1: language = '', 2: code = '', index }): Block => {
    const before = text.slice(0, index).trimEnd();
    const [, example, linked] = LINKED.exec(before) ?? [];
    const path = linked ?? NAMED.exec(before)?.[1] ?? FIRST_LINE.exec(code)?.[1];
    const mark = NOT_RUN.exec(before)?.[1];
    return {
      at: `${name}:${text.slice(0, index).split('\n').length + 1}`,
      ...{ language, code, section: [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '' },
      ...(path && { path }),
      ...(example && { example }),
      ...(mark && { mark }),
    };
  });
}

/** Whether a block prepares the folder of the site: it writes a file or installs packages. */
export const isSetup = ({ path, language, code }: Block): boolean =>
  path !== undefined || (language === 'sh' && /^npm /.test(code));

/** Somebody who follows a guide. */
export interface Reader {
  /** A folder beside a clone in which `pnpm tarballs` has packed the packages. */
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The placeholders of the guide, such as a key or the URL of the site, and the values that the reader enters. */
  readonly values?: Readonly<Record<string, string>>;
  /** Replacements for commands that do not end, such as a server, by their line. */
  readonly commands?: Readonly<Record<string, () => Promise<unknown>>>;
  /** Receives the output of a command; its result is added to the values. */
  readonly learn?: (line: string, printed: string) => Readonly<Record<string, string>> | undefined;
  /** Handles code of the guide that is neither a file nor a command. */
  readonly other?: (block: Block, code: string) => Promise<unknown> | undefined;
}

/** Follows blocks of a guide in order. @throws Error if a command fails, or for a block that the reader cannot follow */
export async function follow(blocks: readonly Block[], reader: Reader): Promise<void> {
  const { folder, other } = reader;
  const values = { ...reader.values };
  mkdirSync(folder, { recursive: true });
  layClone(dirname(folder));
  for (const block of blocks) {
    if (block.mark !== undefined) continue;
    const code = fill(block.code, values);
    if (block.path !== undefined) {
      const file = join(folder, block.path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    } else if (block.language === 'sh') {
      // Values that a line prints are used by the next one.
      for (const line of block.code.replaceAll('\\\n', ' ').split('\n').filter(Boolean)) {
        Object.assign(values, await runLine(reader, fill(line, values)));
      }
    } else {
      const done = other?.(block, code);
      if (!done) throw new Error(`${block.at}: a block of ${block.language} without a file: name one, or mark it`);
      await done;
    }
  }
}

async function runLine({ folder, env, commands, learn }: Reader, line: string) {
  const command = line.replace(/ +#.*$/, '').trim();
  const instead = commands?.[command];
  const printed = instead ? await instead() : await runIn(folder, command, env);
  return learn?.(command, String(printed));
}

/** Runs a command of a guide in bash, and returns what it printed. @throws Error with its whole output, if it fails */
export async function runIn(cwd: string, command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const quick = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const options = { cwd, env: { ...process.env, NODE_OPTIONS: '', ...quick, ...env }, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', command], options).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${command} failed:\n${error.stdout}\n${error.stderr}`);
    },
  );
  return stdout + stderr;
}

const fill = (code: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), code);

/** Places the clone that guides expect beside the folder of the reader, with the packages. */
function layClone(parent: string): void {
  const packed = join(root, 'tarballs');
  if (!existsSync(packed)) throw new Error('There are no packages in tarballs: run "pnpm tarballs".');
  if (existsSync(join(parent, 'broadsheet'))) return;
  mkdirSync(join(parent, 'broadsheet'));
  symlinkSync(packed, join(parent, 'broadsheet/tarballs'));
}
