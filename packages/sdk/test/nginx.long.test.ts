import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { nginx } from '../../server/test/nginx.ts';
import { client, failureOf } from './support/client.ts';
import { serve } from './support/serve.ts';

/** nginx as it is installed: its failures are pages of HTML, and it says 504 after one second. */
async function startNginx(upstream: string): Promise<string> {
  const folder = temporaryFolder().path;
  const port = await freePort();
  await mkdir(join(folder, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'temp')};`)
    .join(' ');
  const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http { access_log off; ${temporary}
      server { listen 127.0.0.1:${port};
        location / { proxy_pass ${upstream}; proxy_read_timeout 1s; }
        location /up { return 200; } } }`;
  await writeFile(join(folder, 'nginx.conf'), config);
  const child = spawn(nginx ?? 'nginx', ['-c', `${folder}/nginx.conf`, '-e', `${folder}/error.log`], {
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('nginx answers', async () => (await fetch(`${url}/up`).catch(() => undefined))?.ok === true);
  return url;
}

const FAILURES: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'a 502: the connection was closed': (response) => response.destroy(),
  'a 504: no response came in time': () => {},
  'a 500 in HTML of the server behind it': (response) => response.writeHead(500).end('<h1>Oops</h1>'),
  'a body that is cut': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"filled":');
    setImmediate(() => response.destroy());
  },
};

test.skipIf(!nginx).each(Object.entries(FAILURES))(
  'behind nginx, %s: one delivery requests one ad',
  async (_, fail) => {
    const server = await serve((__, response) => fail(response));
    const blog = client(await startNginx(server.url));
    await failureOf(blog.ads.deliver('BANNER'));
    expect(server.seen).toHaveLength(1);
    const slots = ['a', 'b'].map((slotId) => ({ slotId, format: 'BANNER' as const }));
    await failureOf(blog.ads.deliverBatch(slots));
    expect(server.seen).toHaveLength(2);
    await failureOf(blog.posts.get('1'));
    expect(server.seen).toHaveLength(5);
  },
);
