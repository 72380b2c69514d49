import { whyNotListen } from '../listening.ts';
import { Refusal } from '../refusal.ts';
import { readServeSettings, type ServeFlags } from '../settings.ts';

/** `broadsheet demo` */
export async function demo(flags: Omit<ServeFlags, 'database'>): Promise<void> {
  const { settings, problems } = readServeSettings(flags, {});
  const { port, host, importPath } = settings;
  if (problems.length === 0 && port !== 0) problems.push(...(await whyNotListen(port, host)));
  if (problems.length > 0) throw new Refusal(problems);
  const { runDemo } = await import('../../demo/demo.ts');
  await runDemo({ port, host, ...(importPath !== undefined && { importPath }) });
}
