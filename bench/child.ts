import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../tools/testing/environment.ts';

/** The root of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** A running program that has printed its URL. */
export interface Started {
  readonly url: string;
  /** Milliseconds from the start to the line with the URL. */
  readonly ms: number;
  /** CPU time so far in milliseconds, in steps of 10; `NaN` where the system does not report it. */
  cpu(): number;
  /** The exact CPU time of its first thread only. */
  firstThreadCpu(): number;
  stop(): Promise<void>;
  /** Ends it like a crash, with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts a Node program from source and waits for the first URL it prints. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--conditions=@broadsheet/source', ...args], {
    cwd: root,
    env: programEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await firstAddress(child);
  const ms = performance.now() - started;
  child.stdout?.resume();
  return {
    url,
    ms,
    cpu: () => cpuOf(child.pid),
    firstThreadCpu: () => firstThreadCpuOf(child.pid),
    stop: () => stop(child),
    kill: () => stop(child, 'SIGKILL'),
  };
}

function firstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const receive = (chunk: Buffer): void => {
      said += chunk.toString();
      const url = /https?:\/\/[\w.:[\]]+/.exec(said)?.[0];
      if (url) resolve(url.replace(/[.]+$/, ''));
    };
    child.stdout?.on('data', receive);
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('exit', (code) => reject(new Error(`ended with code ${code}: ${said.trim().slice(-400)}`)));
  });
}

function firstThreadCpuOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

function cpuOf(pid: number | undefined): number {
  try {
    // After the name in brackets, the 12th field is the user time and the 13th the system time, in hundredths of a
    // second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(force);
}

/** Runs a Node program and returns its stdout and the milliseconds it took. */
export async function run(args: readonly string[], cwd = root): Promise<{ readonly out: string; readonly ms: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--conditions=@broadsheet/source', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ').slice(0, 80)} ended with code ${code}: ${err.trim().slice(-400)}`);
  return { out, ms: performance.now() - started };
}
