// A site on Hono, for Node, Bun, Deno and Workers. BROADSHEET_BASE_URL and BROADSHEET_API_KEY are in the environment.
import { createClient } from '@broadsheet/sdk';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';

const blog = createClient();
const app = new Hono();

app.get('/', async (c) => {
  const { items } = await blog.posts.list({ limit: 10 });
  const links = items.map(
    ({ slug, title }) => html`<li><a href="/posts/${encodeURIComponent(slug)}">${title}</a></li>`,
  );
  return c.html(page('Posts', html`<ul>${links}</ul>`));
});

app.get('/posts/:slug', async (c) => {
  const { ok, data: post, error } = await blog.posts.getBySlug(c.req.param('slug')).safe();
  if (ok) return c.html(page(post.title, raw(post.content)));
  if (error.code === 'NOT_FOUND') return c.notFound();
  throw error;
});

app.get('/ad', async (c) => {
  const { data } = await blog.ads.deliver('BANNER', { visitor: c.req.raw, timeout: 1_000 }).safe();
  return c.json(data ?? { filled: false }, 200, { 'cache-control': 'no-store' });
});

app.post('/ad', async (c) => {
  const body = await c.req.json().catch(() => undefined);
  const { ok, error } = await blog.ads.click(String(body?.token), { visitor: c.req.raw }).safe();
  return Response.json({ ok }, { status: ok ? 200 : (error.status ?? 502) });
});

const page = (title: string, body: unknown) =>
  html`<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`;

export default app;
