import { addHook, deleteHook, listHooks, rotateHook, sendHookMessage, testHook } from '@broadsheet/management';
import type { Hono } from 'hono';
import { type PanelEnv, textOf } from '../door/guard.tsx';
import { goTo, send } from '../door/send.ts';
import { type BlogVisit, logChange, panelPath } from '../door/visit.ts';
import type { Problems } from '../layout/form.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { HooksPage } from './hooks.tsx';

/** The number of messages on the page. */
const LATEST = 100;

/** The webhooks of a blog and their messages. */
export function hookRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function page(
    visit: BlogVisit,
    rest: { secret?: string; typed?: string; problems?: Problems } = {},
  ): Promise<ReturnType<typeof HooksPage>> {
    const hooks = await listHooks(store, visit.blog.id);
    const messages = await store.listHookMessages(visit.blog.id, LATEST);
    return <HooksPage visit={visit} hooks={hooks} messages={messages} {...rest} />;
  }
  const done = ({ blog }: BlogVisit, what: string) => goTo(`${panelPath(blog.id, 'hooks')}?done=${what}`);

  app.get('/panel/:blog/hooks', async (c) => send(await page(c.get('blogVisit'))));

  app.post('/panel/:blog/hooks', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const url = textOf(form, 'url').trim();
    const events = [form['events'] ?? []].flat().map(String);
    c.set('again', (problems) => page(visit, { typed: url, problems }));
    const { id, secret } = await addHook(store, visit.blog.id, { url, events }, visit.now);
    await logChange(store, visit, `added the webhook ${id} to ${new URL(url).origin}`);
    return send(await page(visit, { secret }));
  });

  app.post('/panel/:blog/hooks/:hook/rotate', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('hook')];
    const secret = await rotateHook(store, visit.blog.id, id, visit.now);
    await logChange(store, visit, `rotated the secret of the webhook ${id}`);
    return send(await page(visit, { secret }));
  });

  app.post('/panel/:blog/hooks/:hook/test', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('hook')];
    await testHook(store, visit.blog.id, id);
    await logChange(store, visit, `tested the webhook ${id}`);
    return done(visit, 'sending');
  });

  app.post('/panel/:blog/hooks/:hook/delete', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('hook')];
    await deleteHook(store, visit.blog.id, id);
    await logChange(store, visit, `deleted the webhook ${id}`);
    return done(visit, 'deleted');
  });

  app.post('/panel/:blog/hooks/messages/:message', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('message')];
    await sendHookMessage(store, visit.blog.id, id);
    await logChange(store, visit, `sent the webhook message ${id} again`);
    return done(visit, 'sending');
  });
}
