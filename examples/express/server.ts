// BROADSHEET_BASE_URL=https://blog.example BROADSHEET_API_KEY=… PORT=3000 node server.ts
import { createClient, memoryCache } from '@broadsheet/sdk';
import { unwrap, WebhookError } from '@broadsheet/sdk/webhooks';
import express from 'express';

// Responses are used for an hour, or until the webhook reports a change; for another day if the API is down.
const cache = memoryCache({ fresh: 3_600_000, staleIfError: 86_400_000 });
const blog = createClient({ cache }); // behind a proxy: createClient({ cache, trust: 1 })
const app = express();

app.get('/', async (_request, response) => {
  const { items } = await blog.posts.list({ limit: 10 });
  const links = items.map(
    ({ slug, title }) => `<li><a href="/posts/${encodeURIComponent(slug)}">${text(title)}</a></li>`,
  );
  response.send(page('Posts', `<ul>${links.join('')}</ul>`));
});

app.get('/posts/:slug', async (request, response) => {
  const { ok, data: post, error } = await blog.posts.getBySlug(request.params.slug).safe();
  if (ok) response.send(page(post.title, post.content));
  else if (error.code === 'NOT_FOUND') response.status(404).send(page('There is no such post', ''));
  else throw error;
});

app.get('/ad', async (request, response) => {
  const { data } = await blog.ads.deliver('BANNER', { visitor: request, timeout: 1_000 }).safe();
  response.set('cache-control', 'no-store').json(data ?? { filled: false });
});

app.post('/ad', express.json(), async (request, response) => {
  const { ok, error } = await blog.ads.click(String(request.body?.token), { visitor: request }).safe();
  response.status(ok ? 200 : (error.status ?? 502)).json({ ok });
});

// Before any app.use(express.json()): the signature covers the body as it was received.
app.post('/webhook', async (request, response) => {
  try {
    const { data } = await unwrap(request, request.headers, process.env['BROADSHEET_WEBHOOK_SECRET']);
    for (const tag of data.tags) cache.revalidateTag(tag);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    response.status(error.status).send(error.message);
  }
});

const text = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const page = (title: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${text(title)}</title><h1>${text(title)}</h1>${body}`;

const port = Number(process.env['PORT'] ?? 3000);
app.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
