import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { PanelEnv, Visit } from '../access/visit.ts';
import { progressOf, withProgress } from './progress.ts';

const PATH = '/panel/news/import';

/** An app in which a header names the session, and an import continues when the test calls `goOn`. */
function start() {
  const app = new Hono<PanelEnv>();
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
  app.use(async (c, next) => {
    c.set('visit', { session: c.req.header('session') } as Visit);
    await next();
  });
  app.post(PATH, async (c) => {
    const text = await c.req.text();
    return withProgress(c, async (report) => {
      await report({ text: 'Checking 2 posts', done: 1, total: 2 });
      await gate;
      return c.text(text);
    });
  });
  app.get(`${PATH}/progress`, (c) => c.json(progressOf(c) ?? {}));
  const look = async (session: string, name: string) => {
    const response = await app.request(`${PATH}/progress?name=${name}`, { headers: { session } });
    return (await response.json()) as unknown;
  };
  const send = (body: string, query = '?progress=mine') =>
    app.request(PATH + query, { method: 'POST', body, headers: { session: 'ada' } });
  return { look, send, goOn };
}

it('reports the progress of an import to the page that follows it, until the import ends', async () => {
  const { look, send, goOn } = start();
  const response = send('whole');
  await expect.poll(() => look('ada', 'mine')).toEqual({ text: 'Checking 2 posts', done: 1, total: 2 });
  goOn();
  expect(await (await response).text()).toBe('whole');
  expect(await look('ada', 'mine')).toEqual({});
});

it('shows the progress of an import only to the session that sent it', async () => {
  const { look, send, goOn } = start();
  const responses = [send('whole'), send('plain', '')];
  await expect.poll(() => look('ada', 'mine')).not.toEqual({});
  expect([await look('ben', 'mine'), await look('ada', 'other'), await look('ada', '')]).toEqual([{}, {}, {}]);
  goOn();
  expect(await Promise.all((await Promise.all(responses)).map((response) => response.text()))).toEqual([
    'whole',
    'plain',
  ]);
});
