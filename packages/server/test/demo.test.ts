import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { startServer } from './broadsheet.ts';

it('the demo prints a link that opens the panel of the sample blog once, with figures that grow', async () => {
  const demo = await startServer(['demo', '--port', '0'], { cwd: temporaryFolder().path });
  onTestFinished(async () => void (await demo.stop()));
  const link = () => /http:\S+\/panel\/sign-in\?token=\S+/.exec(demo.printed())?.[0] ?? '';
  await expect.poll(link).not.toBe('');
  expect(await (await fetch(link())).text()).toContain('Sign in');
  const invitation = new URL(link()).searchParams.get('token') ?? '';
  const signIn = () =>
    fetch(`${demo.url}/panel/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: demo.url },
      body: new URLSearchParams({ invitation }),
    });
  const cookie = (await signIn()).headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${demo.url}/panel/broadsheet?period=30`, { headers: { cookie } })).text();
  const impressions = /data-live="total-impressions">([\d,]+)</.exec(page)?.[1] ?? '0';
  expect(Number(impressions.replaceAll(',', ''))).toBeGreaterThan(10_000);
  expect(page).toContain('leaderboard');
  expect((await signIn()).headers.get('set-cookie')).toBeNull();

  // The panel counts what the pages of the demo report as viewable.
  const figures = async () => {
    const file = await fetch(`${demo.url}/panel/broadsheet/days.csv?period=30`, { headers: { cookie } });
    const [head = [], ...rows] = (await file.text())
      .replaceAll('"', '')
      .split('\r\n')
      .map((line) => line.split(','));
    return rows.reduce((sum, row) => sum + Number(row[head.indexOf('viewable')] ?? 0), 0);
  };
  const before = await figures();
  expect(before).toBeGreaterThan(1000);
  const [, apiKey = ''] = /data-api-key="([^"]+)"/.exec(await (await fetch(demo.url)).text()) ?? [];
  const reader = {
    origin: demo.url,
    'x-api-key': apiKey,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0',
  };
  const delivery = await fetch(`${demo.url}/public/ads/formats/BANNER`, { headers: reader });
  const { clickToken } = (await delivery.json()) as { readonly clickToken: string };
  const path = delivery.headers.get('broadsheet-viewable');
  expect((await fetch(`${demo.url}${path}`, { method: 'POST', body: clickToken })).status).toBe(204);
  await expect.poll(figures).toBe(before + 1);
});
