import { temporaryFolder } from '../../../tools/testing/folder.ts';
import type { Deployment } from '../../workers/test/deployment.ts';
import { command } from './command.ts';

/** By default, runs commands with the token of the deployment; `json` runs them on the deployment. */
export function operator(deployment: () => Deployment) {
  const folder = temporaryFolder();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    command(args, { cwd: folder.path, env: { BROADSHEET_ADMIN_TOKEN: deployment().token, ...env } });
  const json = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json', '--database', deployment().url]);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  return { folder, run, json };
}
