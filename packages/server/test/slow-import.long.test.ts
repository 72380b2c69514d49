import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { formToken } from '../../panel/src/access/visit.ts';
import { MANAGER, NEWS, startPanel } from '../../panel/test/panel-server.ts';
import { nginx, startNginx } from './nginx.ts';

const MEBIBYTE = 1024 * 1024;
const PATH = '/panel/news/import';
/** A zip of 54 MiB, with content that does not compress. */
const zip = () =>
  zipSync(
    Object.fromEntries(
      Array.from({ length: 54 }, (_, number) => [
        `posts/post-${number}.md`,
        Buffer.from(`---\ntitle: Post ${number}\n---\n${randomBytes((MEBIBYTE * 3) / 4).toString('base64')}`),
      ]),
    ),
    { level: 0 },
  );

/** Sends a form with a file in this many seconds. */
async function send(url: string, session: string, seconds: number) {
  const boundary = 'slow-import';
  const field = (name: string, more: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}`;
  const head = `${field('token', '')}\r\n\r\n${formToken(session, PATH)}\r\n${field('file', '; filename="posts.zip"')}\r\ncontent-type: application/zip\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), zip(), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = {
    origin: url,
    cookie: `broadsheet-panel=${session}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': body.length,
  };
  const sent = request(url + PATH, { method: 'POST', headers, agent: false });
  const responseEvent = once(sent, 'response');
  const part = Math.ceil(body.length / seconds);
  for (let from = 0; from < body.length; from += part) {
    sent.write(body.subarray(from, from + part));
    await Promise.race([wait(1000), responseEvent]);
  }
  sent.end();
  const [response]: IncomingMessage[] = await responseEvent;
  return response ? { status: response.statusCode, html: await text(response) } : { status: 0, html: '' };
}

// In parallel, because each of them mostly waits.
describe.concurrent('a zip of 54 MiB over a slow connection', () => {
  describeDatabases('', (database) => {
    // Through Node to one database, and through nginx to the other.
    const way = database.kind === 'PostgreSQL' && nginx ? 'nginx' : 'Node';
    it(`through ${way}, a zip of 54 MiB over a slow connection is previewed and imported`, async ({
      onTestFinished,
    }) => {
      const panel = await startPanel(database.url);
      onTestFinished(() => panel.close());
      await panel.store.importBlogs([NEWS], Date.now());
      const session = await panel.session(MANAGER);
      const port = Number(new URL(panel.url).port);
      const proxy = way === 'nginx' ? await startNginx(database.cwd, [port, port, port]) : undefined;
      onTestFinished(() => proxy?.stop());
      const { status, html } = await send(proxy?.url ?? panel.url, session, 40);
      expect(status, html.slice(0, 2000)).toBe(200);
      const upload = /name="upload" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const confirmed = await panel.ask(session, PATH, { form: { upload, name: 'posts.zip' } });
      expect(confirmed.status).toBe(303);
      expect((await panel.store.exportBlog('news'))?.posts).toHaveLength(NEWS.posts.length + 54);
    });
  });
});
