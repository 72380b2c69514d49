import type { NotedSnapshot } from '@broadsheet/content';
import { createLog, type Logger, preloadPages } from '@broadsheet/http';
import { COMMAND_LINE, importerOf, OperationError } from '@broadsheet/management';
import { createServer } from '../create-server.ts';
import { openDatabase } from '../database/database.ts';
import { note, print } from '../program/output.ts';
import { untilStopped } from '../program/until-stopped.ts';
import { withoutPassword } from '../settings/database-url.ts';
import { readEnvironment } from '../settings/environment.ts';
import { urlToListen, whyNotListen } from '../settings/listening.ts';
import { readServeSettings, type ServeFlags, type ServeSettings } from '../settings/settings.ts';
import { readImport, writeImport } from './import.ts';

/** Milliseconds from the start to the preload, so that the first requests are not delayed. */
const PRELOAD_AFTER = 1000;

/** `broadsheet serve`: checks everything before it opens the database. */
export async function serve(flags: ServeFlags): Promise<void> {
  const settings = readServeSettings(flags, readEnvironment());
  const problems = await whyNotListen(settings.port, settings.host);
  if (settings.ops) problems.push(...(await whyNotListen(settings.ops.port, settings.ops.host, 'ops-')));
  if (problems.length > 0) throw new OperationError(problems);
  let content: NotedSnapshot | undefined;
  if (settings.importPath !== undefined) {
    const mediaUrl = settings.publicUrl ?? urlToListen(settings);
    content = await readImport(settings.importPath, { mediaUrl });
    if (mediaUrl === undefined && mayReferToFiles(content)) note(NO_IMAGES);
  }
  await serveSettings(settings, content);
}

/** With `--port 0`, an import comes before the server has a URL. */
const NO_IMAGES =
  'note: image files were not stored, and references to them stay as written: with --port 0, the URL of the server is unknown before it starts; set PUBLIC_URL, such as PUBLIC_URL=https://blog.example';

/** Whether posts of a Markdown folder or a Ghost export have images, which may be files. */
const mayReferToFiles = ({ unnamed, snapshot }: NotedSnapshot): boolean =>
  unnamed !== undefined &&
  snapshot.blogs.some(({ posts = [] }) =>
    posts.some(({ content, coverUrl }) => coverUrl || /!\[|<(?:img|source|video)\b/i.test(content ?? '')),
  );

async function serveSettings(settings: ServeSettings, content: NotedSnapshot | undefined): Promise<void> {
  const { trustProxy, poolSize, statementTimeout } = settings;
  const log = createLog(settings.logLevel);
  const report = (message: string, cause: unknown) => log.warn({ cause }, message);
  const store = await openDatabase(settings.database, { create: true, poolSize, statementTimeout, report });
  try {
    for (const { id, newKey } of content ? await writeImport(content, importerOf(store, COMMAND_LINE)) : []) {
      if (newKey) note(`The API key of ${id}, shown only once: ${newKey}`);
    }
    if ((await store.listBlogs()).length === 0) note(noBlog(settings.database));
    const server = await createServer({ ...settings, store, log });
    const stopped = untilStopped(async (signal) => {
      log.info({ signal }, 'stopping');
      // After Ctrl+C a person is waiting, so only SIGTERM waits for the proxy.
      await server.close({ behindProxy: trustProxy !== 0 && signal === 'SIGTERM' });
    });
    if (server.opsUrl) note(`Metrics and documentation are at ${server.opsUrl}`);
    print(`Broadsheet is ready at ${server.url}`);
    // When running from source, this would build the files for browsers.
    if (!import.meta.url.endsWith('.ts')) setTimeout(preload, PRELOAD_AFTER, log).unref();
    await stopped;
  } finally {
    await store.close();
  }
}

/**
 * Loads the modules that the first requests need, so that an update can replace the files of this program while it
 * runs.
 */
async function preload(log: Logger): Promise<void> {
  try {
    await preloadPages();
    log.debug({}, 'the pages are loaded');
  } catch (cause) {
    log.warn({ cause }, 'not all pages could be loaded');
  }
}

/** A mistyped path silently creates an empty database, which refuses every key. */
function noBlog(database: string): string {
  const make = 'Create one with "broadsheet import PATH" or "broadsheet blogs create ID", and the same --database';
  return `warning: there are no blogs yet in the database ${withoutPassword(database)}: every request is refused. ${make}`;
}
