import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { nginx, startPlainNginx } from '../../server/test/nginx.ts';
import { client, failureOf } from './support/client.ts';
import { deliveriesOf, serve } from './support/serve.ts';

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
    const blog = client(await startPlainNginx(server.url));
    await failureOf(blog.ads.deliver('BANNER'));
    expect(deliveriesOf(server)).toHaveLength(1);
    const slots = ['a', 'b'].map((slotId) => ({ slotId, format: 'BANNER' as const }));
    await failureOf(blog.ads.deliverBatch(slots));
    expect(deliveriesOf(server)).toHaveLength(2);
    await failureOf(blog.posts.get('1'));
    expect(deliveriesOf(server)).toHaveLength(5);
  },
);
