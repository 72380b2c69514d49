import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { bodyOf, openSite } from '../../../tools/testing/site.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';

it('after the engine was killed while it sent webhooks, a deployment continues to send them', async () => {
  const folder = temporaryFolder().path;
  const received: string[] = [];
  let isHanging = true;
  await using site = await openSite(async (request, response) => {
    const { data } = JSON.parse(await bodyOf(request)) as { data: { id: string } };
    received.push(data.id);
    if (!isHanging) response.writeHead(204).end();
  });
  let deployment: Deployment = await deploy({ folder });
  onTestFinished(() => deployment.stop());
  await deployment.importBlog({ id: 'news', name: 'News', apiKeys: ['key'] });
  await deployment.manage('news', 'hooks.add', { url: site.url, events: ['post.published'] });
  const publish = (id: string) =>
    deployment.importBlog({ id: 'news', name: 'News', posts: [{ id, slug: id, title: id }] });
  await publish('a');
  await vi.waitUntil(() => received.includes('a'), { timeout: 60_000 });
  await deployment.kill();
  isHanging = false;
  received.length = 0;
  deployment = await deploy({ folder });
  await publish('b');
  await vi.waitUntil(() => received.includes('a') && received.includes('b'), { timeout: 60_000 });
  expect(received.toSorted()).toEqual(['a', 'b']);
});
