import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { startServer } from './broadsheet.ts';

it('the demo prints a link that opens the panel of the sample blog once, with a month of figures', async () => {
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
});
