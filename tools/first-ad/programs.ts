import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programEnvironment } from '../testing/environment.ts';
import { freePort } from '../testing/site.ts';
import type { Programs } from './first-ad.ts';

/**
 * The programs of a publisher in a folder, without a variable of the product.
 *
 * @param program the command line of `broadsheet`, such as `['npx', 'broadsheet']`
 * @param settings what the guide of a deployment puts into the environment, such as the database
 */
export function programsIn(
  cwd: string,
  program: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Programs {
  const [file = '', ...first] = program;
  const env = programEnvironment(settings);
  const start = (args: readonly string[]) =>
    spawn(file, [...first, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    async run(...args) {
      const child = start(args);
      const printed = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
      const [code] = await once(child, 'close');
      if (code === 0) return printed.stdout;
      throw new Error(`broadsheet ${args.join(' ')} ended with ${code}:\n${printed.stdout}\n${printed.stderr}`);
    },
    async serve() {
      const child = start(['serve', '--port', String(await freePort())]);
      const closed = once(child, 'close');
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
      for await (const line of createInterface(child.stdout)) {
        const [url] = /http:\/\/[\w.:]+/.exec(line) ?? [];
        if (url === undefined) continue;
        child.stdout.resume();
        const stop = async () => {
          child.kill('SIGTERM');
          await closed;
        };
        return { url, stop };
      }
      throw new Error(`broadsheet serve ended before it was ready:\n${errors}`);
    },
  };
}
