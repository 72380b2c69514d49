import { print } from '../cli/output.ts';
import { untilStopped } from '../cli/until-stopped.ts';
import { type DemoOptions, startDemo } from './start-demo.ts';

/**
 * Runs the demo until the process is told to stop: a fresh blog in a temporary SQLite file and a site in the browser
 * over it. Prints where it is.
 *
 * @throws what {@link startDemo} throws
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const demo = await startDemo(options);
  print(`${demo.blog.name} is at ${demo.url}`);
  if (demo.networkUrl) print(`On other devices of your network: ${demo.networkUrl}`);
  print(`Documentation: ${demo.url}/docs   Key: ${demo.blog.apiKey}   Stop with Ctrl+C.`);
  await untilStopped(async () => demo.close());
}
