import { COMMAND_LINE, importerOf, OperationError } from '@broadsheet/management';
import type { SqlStore } from '@broadsheet/store';
import { randomText } from '@broadsheet/store';
import type { Operators } from '../operators/operators.ts';
import { note, print } from '../program/output.ts';
import { untilStopped } from '../program/until-stopped.ts';
import { urlToListen, whyNotListen } from '../settings/listening.ts';
import { readServeSettings, type ServeFlags } from '../settings/settings.ts';
import { readImport, writeImport } from './import.ts';

/** `broadsheet demo`: prints its URLs and runs until a signal stops it. */
export async function demo(flags: Omit<ServeFlags, 'database'>): Promise<void> {
  const settings = readServeSettings(flags, {});
  const { port, host, importPath } = settings;
  const problems = await whyNotListen(port, host);
  if (problems.length > 0) throw new OperationError(problems);
  const content =
    importPath === undefined ? undefined : await readImport(importPath, { mediaUrl: urlToListen(settings) });
  const [{ startDemo, writeSampleActivity, writeSampleFigures }, { createOperators }] = await Promise.all([
    import('@broadsheet/demo'),
    import('../operators/operators.ts'),
  ]);
  const fill =
    content && (async (store: SqlStore) => void (await writeImport(content, importerOf(store, COMMAND_LINE))));
  let operators: Operators | undefined;
  const mount = (store: SqlStore) => {
    operators = createOperators({ store });
    return operators;
  };
  const running = await startDemo({ port, host, mount, ...(fill && { fill }) });
  const { blog, store, databaseUrl, url, networkUrl, showsSampleAds } = running;
  const now = Date.now();
  const link = randomText();
  await store.invitePerson({ name: 'You', role: 'manage', blogId: null }, link, now);
  if (!fill) await writeSampleFigures(store, blog.id, now);
  const report = fill ? undefined : await writeSampleActivity(store, { blog: blog.id, now, url: networkUrl ?? url });
  if (showsSampleAds) note(`note: ${blog.name} has no ads; the demo shows the ads of its sample blog`);
  print(`${blog.name} is at ${url}`);
  print(`Its panel (this link works once): ${url}/panel/sign-in?token=${link}`);
  if (report) print(`A report as its sponsor sees it: ${report}`);
  if (networkUrl) print(`On other devices of your network: ${networkUrl}`);
  print(`Its database, for the other commands: --database ${databaseUrl}`);
  print(`Documentation: ${url}/docs   Key: ${blog.apiKey}   Stop with Ctrl+C.`);
  await untilStopped(async () => {
    await operators?.close();
    await running.close();
  });
}
