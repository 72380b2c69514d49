import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite } from '../../../tools/testing/site.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { startDemo } from '../../demo/src/start-demo.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';
import { operator } from './operator.ts';

describeInChromium('the blog of the demo, copied into a deployment', (stage) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy();
  });
  afterAll(() => deployment.stop());
  const { run, json, folder } = operator(() => deployment);

  it('a copied blog fills the widget, counts its click, and can be copied back with its counts', async () => {
    const demo = await startDemo({ port: 0, host: '127.0.0.1' });
    const { apiKey, id } = demo.blog;
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', origin: demo.url, connection: 'close' };
    let delivered = 0;
    const deliver = async (): Promise<{ id: string; clickToken: string }> => {
      delivered += 1;
      return (await fetch(`${demo.url}/public/ads/formats/SIDEBAR`, { headers })).json();
    };
    const click = async (url: string, clickToken: string, ip: string) => {
      const init = {
        method: 'POST',
        headers: { ...headers, 'cf-connecting-ip': ip },
        body: JSON.stringify({ clickToken }),
      };
      return (await fetch(`${url}/public/ads/tracking/click`, init)).status;
    };
    try {
      const { id: ad, clickToken: used } = await deliver();
      let again = await deliver();
      while (again.id !== ad) again = await deliver();
      const { clickToken: unused } = await deliver();
      expect(await click(demo.url, used, '192.0.2.1')).toBe(200);
      // Only Workers use this header. Here, both clicks come from the IP address of the socket, so they belong to one
      // reader.
      expect(await click(demo.url, again.clickToken, '192.0.2.2')).toBe(200);
      await demo.store.invitePerson({ name: 'Ada', role: 'view', blogId: id }, 'link', Date.now());
      const copied = await run(['copy', demo.databaseUrl, deployment.url]);
      expect(copied).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^Copied into http:\S+, as it was/),
      });
      await using site = await openSite((_, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(`<!doctype html><title>A page</title>
          <script async src="${demo.url}/broadsheet.js" data-base-url="${deployment.url}" data-api-key="${apiKey}"></script>
          <broadsheet-slot name="top" format="BANNER" style="display: block; height: 120px"></broadsheet-slot>`);
      });
      expect([
        await click(deployment.url, used, '192.0.2.3'),
        await click(deployment.url, unused, '192.0.2.3'),
      ]).toEqual([409, 200]);
      // The clicks of a headless browser do not count.
      const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';
      const page = await stage.newPage({ userAgent });
      const taken = page.waitForResponse((response) => response.url().endsWith('/tracking/click'));
      await page.goto(site.url);
      await page.locator('broadsheet-slot a').first().click();
      expect((await taken).status()).toBe(200);

      const { ads, placements } = await json(['stats', id]);
      const sum = (name: 'delivered' | 'clicks') => ads.reduce((all: number, ad: never) => all + ad[name], 0);
      expect([sum('delivered'), sum('clicks')]).toEqual([delivered + 1, 2 + 1]);
      expect(placements).toMatchObject([{ placement: 'top', requests: 1, delivered: 1, clicks: 1 }]);

      const back = `sqlite:${join(folder.path, 'back.db')}`;
      expect(await run(['copy', deployment.url, back])).toMatchObject({ code: 0, stderr: '' });
      const there = JSON.parse((await run(['stats', id, '--json', '--database', back])).stdout);
      expect(there.ads).toEqual(ads);
      const people = JSON.parse((await run(['panel', 'people', '--json', '--database', back])).stdout);
      expect(people).toMatchObject([{ name: 'Ada', role: 'view', blogId: id, invited: true }]);
      const before = await run(['export', id, '--database', demo.databaseUrl]);
      expect((await run(['export', id, '--database', back])).stdout).toBe(before.stdout);
    } finally {
      await demo.close();
    }
  });
});
