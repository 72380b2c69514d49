import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { broadsheet, serve } from '../../test/broadsheet.ts';

it('the panel command invites a person to a running server, lists them and revokes their access', async () => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  const database = ['--database', 'sqlite:panel.db'];
  const command = async (...args: string[]) => broadsheet(['panel', ...args, ...database], { cwd });
  await broadsheet(['blogs', 'create', 'news', ...database], { cwd });
  const server = await serve(database, { cwd, env: { LOG_LEVEL: 'debug' } });
  try {
    expect((await fetch(`${server.url}/panel`)).status).toBe(404);
    expect((await command('people')).stdout).toMatch(/^Nobody has been invited yet/);
    const { stdout } = await command('invite', 'Ada', '--blog', 'news', '--role', 'view', '--url', `${server.url}/`);
    const link = new URL(/http\S+/.exec(stdout)?.[0] ?? '');
    expect(`${link.origin}${link.pathname}`).toBe(`${server.url}/panel/sign-in`);
    expect(await (await fetch(link)).text()).toContain('Ada');
    const invitation = link.searchParams.get('token') ?? '';
    const answer = await fetch(`${server.url}/panel/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: server.url },
      body: new URLSearchParams({ invitation }),
    });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = () => fetch(`${server.url}/panel/news`, { headers: { Cookie: cookie } });
    expect((await page()).status).toBe(200);
    expect((await command('people')).stdout).toMatch(/Ada +view +news +signed in \(1\)/);
    expect((await command('revoke', 'Ada')).code).toBe(0);
    expect((await page()).status).toBe(404);
    for (const secret of [invitation, cookie.split('=')[1] ?? '?']) expect(server.said()).not.toContain(secret);
  } finally {
    await server.stop();
  }
  const problems = (await command('invite', ' ', '--role', 'boss', '--url', 'blog.example')).stderr;
  expect(problems).toMatch(/3 problems:\n {2}NAME: .*\n {2}--role: expected manage or view.*\n {2}--url: /);
  expect((await command('invite', 'Ada', '--blog', 'nowhere')).stderr).toContain('There is no blog "nowhere"');
  expect((await command('revoke', 'Nobody')).stderr).toContain('There is nobody called "Nobody"');
});
