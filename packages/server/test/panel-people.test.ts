import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { serve } from './broadsheet.ts';
import { command } from './command.ts';

it('the panel command invites a person to a running server, lists them and revokes their access', async () => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  const database = ['--database', 'sqlite:panel.db'];
  const panel = (...args: string[]) => command(['panel', ...args, ...database], { cwd });
  await command(['blogs', 'create', 'news', ...database], { cwd });
  const server = await serve(database, { cwd, env: { LOG_LEVEL: 'debug' } });
  try {
    expect((await fetch(`${server.url}/panel`)).status).toBe(404);
    expect((await panel('people')).stdout).toMatch(/^Nobody has been invited yet/);
    const { stdout } = await panel('invite', 'Ada', '--blog', 'news', '--role', 'view', '--url', `${server.url}/`);
    const link = new URL(/http\S+/.exec(stdout)?.[0] ?? '');
    expect(`${link.origin}${link.pathname}`).toBe(`${server.url}/panel/sign-in`);
    expect(await (await fetch(link)).text()).toContain('Ada');
    const invitation = link.searchParams.get('token') ?? '';
    const response = await fetch(`${server.url}/panel/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: server.url },
      body: new URLSearchParams({ invitation }),
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = () => fetch(`${server.url}/panel/news`, { headers: { Cookie: cookie } });
    expect((await page()).status).toBe(200);
    expect((await panel('people')).stdout).toMatch(/Ada +view +news +signed in \(1\)/);
    expect((await panel('revoke', 'Ada')).code).toBe(0);
    const bob = /token=(\S+)/.exec((await panel('invite', 'Bob', '--url', server.url)).stdout)?.[1] ?? '';
    const form = { method: 'POST', redirect: 'manual', headers: { Origin: server.url } } as const;
    await fetch(`${server.url}/panel/sign-in`, { ...form, body: new URLSearchParams({ invitation: bob }) });
    const demoted = await panel('invite', 'Bob', '--role', 'view', '--url', server.url);
    expect([demoted.code, demoted.stderr]).toEqual([2, expect.stringContaining('nobody else manages all blogs')]);
    const last = await panel('revoke', 'Bob');
    expect([last.code, last.stderr]).toEqual([2, expect.stringContaining('Add --yes to revoke this access')]);
    expect((await panel('revoke', 'Bob', '--yes')).code).toBe(0);
    expect((await page()).status).toBe(404);
    for (const secret of [invitation, cookie.split('=')[1] ?? '?']) expect(server.said()).not.toContain(secret);
  } finally {
    await server.stop();
  }
  for (const [args, problem] of [
    [['Ada', '--role', 'boss'], '--role: expected "manage" or "view", received "boss"'],
    [['Ada', '--url', 'blog.example'], '--url: expected the http(s) URL of a server'],
    [[' '], 'name: expected 1 to 100 letters and digits'],
    [['Ada\u202e'], 'name: expected 1 to 100 letters and digits'],
    [['Command  Line'], 'would look like a command or a token in the log'],
    [['token ci'], 'would look like a command or a token in the log'],
    [['t\u043eken ci'], 'name: expected letters of one alphabet'],
  ] as const) {
    const { code, stderr } = await panel('invite', ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  }
  expect((await panel('invite', 'Ada', '--blog', 'nowhere')).stderr).toContain('There is no blog "nowhere"');
  expect((await panel('revoke', 'Nobody')).stderr).toContain('There is nobody called "Nobody"');
});
