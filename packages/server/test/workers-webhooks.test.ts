import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { bodyOf, openSite } from '../../../tools/testing/site.ts';
import { deploy } from '../../workers/test/deployment.ts';
import { command } from './command.ts';

it('a deployment sends webhooks, and the newest state of a post after a failure', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const deployment = await deploy();
  onTestFinished(() => deployment.stop());
  const env = { BROADSHEET_ADMIN_TOKEN: deployment.token };
  const hooks = async (...args: string[]) => {
    const ran = await command(['hooks', ...args, '--json', '--database', deployment.url], { cwd: folder.path, env });
    if (ran.code !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout);
  };
  const received: string[] = [];
  const statuses = [500];
  let secret = '';
  await using site = await openSite(async (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const event = new Webhook(secret).verify(await bodyOf(request), headers) as { type: string; data: { id: string } };
    const status = statuses.shift() ?? 204;
    received.push(`${event.type} ${event.data.id} ${status}`);
    response.writeHead(status).end();
  });
  await deployment.importBlog({ id: 'news', name: 'News', apiKeys: ['key'] });
  const added = await hooks('add', 'news', site.url);
  secret = added.secret;
  for (const [index, title] of ['One', 'Two', 'Three'].entries()) {
    await deployment.importBlog({ id: 'news', name: 'News', posts: [{ id: 'p', slug: 'p', title }] });
    await vi.waitUntil(() => received.length === index + 1, { timeout: 60_000 });
  }
  expect(received).toEqual(['post.published p 500', 'post.published p 204', 'post.updated p 204']);
  expect(await hooks('test', 'news', added.id)).toMatchObject({ status: 204 });
});
