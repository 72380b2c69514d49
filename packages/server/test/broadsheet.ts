import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../../tools/testing/environment.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** How a command runs. */
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file descriptor for the output, which is then missing in the result. */
  readonly stdout?: number;
  /** The limit of open files. */
  readonly openFiles?: number;
}

/** Starts the real command from its source, with its default settings except for those in `env`. */
function startBroadsheet(args: readonly string[], { cwd, env = {}, stdout, openFiles }: RunOptions): ChildProcess {
  // The suites start the command a hundred times, so compiled code is cached.
  const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
  const program = [process.execPath, '--conditions=@broadsheet/source', MAIN, ...args];
  const limited = ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...program];
  const [file = '', ...rest] = openFiles === undefined ? program : limited;
  return spawn(file, rest, {
    cwd,
    env: programEnvironment({ NODE_COMPILE_CACHE, ...env }),
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
}

/** Runs the real command and waits for its exit. */
export async function broadsheet(args: readonly string[], options: RunOptions) {
  const child = startBroadsheet(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** A server in a separate process, with the URL that it printed. */
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its standard error so far. */
  said(): string;
  /** Its standard output so far. */
  printed(): string;
  /** Sends a signal, by default that of Ctrl+C, and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `broadsheet serve`, by default on a free port, and waits for its first line. */
export const serve = (args: readonly string[], options: RunOptions): Promise<ServerProcess> =>
  startServer(['serve', '--port', '0', ...args], options);

/** Starts a command that runs a server, and waits for its first line. */
export async function startServer(args: readonly string[], options: RunOptions): Promise<ServerProcess> {
  const child = startBroadsheet(args, options);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).once('line', (line) => resolve(/http:\S+/.exec(line)?.[0] ?? line));
    void closed.then(([code]) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    said: () => stderr,
    printed: () => stdout,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      return (await closed)[0];
    },
  };
}
