import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { PanelEnv } from '../door/guard.tsx';
import type { Visit } from '../door/visit.ts';
import { followImport, progressOf, reportOf } from './progress.ts';

const PATH = '/panel/news/import';

/** An app in which a header names the person, and an import goes on when the test says so. */
function start() {
  const app = new Hono<PanelEnv>();
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
  app.use(async (c, next) => {
    c.set('visit', { session: c.req.header('session') } as Visit);
    await next();
  });
  app.use(PATH, followImport);
  app.post(PATH, async (c) => {
    const text = await c.req.text();
    await reportOf(c)({ words: 'Checking 2 posts', done: 1, total: 2 });
    await gate;
    return c.text(text);
  });
  app.get(`${PATH}/progress`, (c) => c.json(progressOf(c) ?? {}));
  const look = async (session: string, name: string) => {
    const answer = await app.request(`${PATH}/progress?name=${name}`, { headers: { session } });
    return (await answer.json()) as unknown;
  };
  const send = (body: BodyInit, headers: Record<string, string> = {}, query = '?progress=mine') => {
    const init = { method: 'POST', body, duplex: 'half', headers: { session: 'ada', ...headers } };
    return app.request(PATH + query, init);
  };
  return { look, send, goOn };
}

it('says how much of a file has come, and what is done with it then', async () => {
  const { look, send, goOn } = start();
  const pipe = new TransformStream<Uint8Array>();
  const writer = pipe.writable.getWriter();
  const answer = send(pipe.readable, { 'content-length': '10' });
  await writer.write(new TextEncoder().encode('12345'));
  await expect.poll(() => look('ada', 'mine')).toEqual({ words: 'Uploading', done: 5, total: 10 });
  await writer.write(new TextEncoder().encode('67890'));
  await writer.close();
  await expect.poll(() => look('ada', 'mine')).toEqual({ words: 'Checking 2 posts', done: 1, total: 2 });
  goOn();
  expect(await (await answer).text()).toBe('1234567890');
  expect(await look('ada', 'mine')).toEqual({});
});

it('says it to nobody else, and nothing of what nobody follows', async () => {
  const { look, send, goOn } = start();
  const answers = [send('whole'), send('plain', {}, '')];
  await expect.poll(() => look('ada', 'mine')).not.toEqual({});
  expect([await look('ben', 'mine'), await look('ada', 'other'), await look('ada', '')]).toEqual([{}, {}, {}]);
  goOn();
  expect(await Promise.all((await Promise.all(answers)).map((answer) => answer.text()))).toEqual(['whole', 'plain']);
});
