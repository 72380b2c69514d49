import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import { parity } from './parity.ts';
import { program } from './program.ts';

test('a server that keeps its promises has no differences, and reading leaves it as it was', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  const lines: string[] = [];
  const command = program((line) => lines.push(line));
  await command.parseAsync(['parity', server.url, '--api-key', mock.main.apiKey], { from: 'user' });
  expect(lines.at(-1)).toMatch(/^\d\d+ promises, 0 differences$/);
  expect(lines.slice(1, -1).every((line) => /^\S+\s+ok {6}ok {6}\S/.test(line))).toBe(true);
  for (const { id = '' } of mock.main.blog.ads ?? []) {
    expect(mock.main.ad(id)).toEqual({ impressions: 0, clicks: 0 });
  }
});

test('with --clicks it also counts; a broken promise is printed with its reason', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  mock.main.fail('ads.click', 500);
  const lines: string[] = [];
  const options = { url: server.url, apiKey: mock.main.apiKey, write: (line: string) => void lines.push(line) };
  expect(await parity({ ...options, clicks: true })).toBeGreaterThan(0);
  expect(lines.join('\n')).toMatch(/ok {6}FAILS .*\n +.*500/);
});

test('where there is nothing to compare, that is said once', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  const compare = (url: string, apiKey = 'nobody') => parity({ url, apiKey, clicks: false, write: () => undefined });
  await expect(compare(server.url)).rejects.toThrow(/does not know the key; .*--api-key/);
  await expect(compare('http://127.0.0.1:1')).rejects.toThrow(/nothing answers at http:\/\/127.0.0.1:1/);
  await expect(compare('nowhere')).rejects.toThrow(/"nowhere" is no URL/);
});
