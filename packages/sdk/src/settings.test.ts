import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KEY } from '../test/support/client.ts';
import type { createClient as create } from './index.ts';

let createClient: typeof create;

beforeEach(async () => {
  vi.resetModules(); // each copy logs its notice once
  ({ createClient } = await import('./index.ts'));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The URL that a client with this `baseUrl` calls. */
async function addressBy(baseUrl: string | URL): Promise<string> {
  const urls: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    urls.push(url);
    return Response.json({ success: true, data: [] });
  };
  await createClient({ baseUrl, apiKey: KEY, fetch, browser: true }).tags.list();
  return urls.join();
}

test.each<[string | URL, string]>([
  ['https://blog.example', 'https://blog.example/public/tags'],
  ['https://blog.example///', 'https://blog.example/public/tags'],
  ['https://blog.example/a/api//', 'https://blog.example/a/api/public/tags'],
  [new URL('https://blog.example:8443/api'), 'https://blog.example:8443/api/public/tags'],
  ['http://app.localhost:3000', 'http://app.localhost:3000/public/tags'],
  ['http://127.9.8.7', 'http://127.9.8.7/public/tags'],
])('with %s the API is called at %s', async (baseUrl, url) => {
  expect(await addressBy(baseUrl)).toBe(url);
});

test('in a page, baseUrl may be relative to it', async () => {
  vi.stubGlobal('document', {});
  vi.stubGlobal('location', { href: 'https://blog.example/posts/one' });
  expect(await addressBy('/api')).toBe('https://blog.example/api/public/tags');
});

test.each([
  'http://localhost.evil.example',
  'http://evil-localhost',
  'http://127.0.0.1.evil.example',
  'http://evil.example/localhost',
])('%s is not this machine: the key needs https there', (baseUrl) => {
  const { origin } = new URL(baseUrl);
  expect(() => createClient({ baseUrl, apiKey: KEY })).toThrow(
    `baseUrl is ${origin}: the key needs https. For a trusted network set allowInsecureHttp: true.`,
  );
});

test.each([
  'https://name@blog.example',
  'https://:word@blog.example',
  'https://a.example/api?tenant=7',
  'https://a.example/#v2',
])('%s is refused: it has a user name, a password, a query or a fragment', (baseUrl) => {
  expect(() => createClient({ baseUrl, apiKey: KEY })).toThrow(
    'baseUrl must have no user name, password, query or fragment',
  );
});

test('a missing option is reported with both ways to set it', () => {
  vi.stubEnv('BROADSHEET_API_KEY', '');
  vi.stubEnv('BROADSHEET_BASE_URL', '');
  expect(() => createClient({ baseUrl: 'https://blog.example' })).toThrow(
    'apiKey is missing: pass it to createClient or set BROADSHEET_API_KEY.',
  );
  expect(() => createClient({ apiKey: KEY })).toThrow(
    'baseUrl is missing: pass it to createClient or set BROADSHEET_BASE_URL.',
  );
  expect(() => createClient()).toThrow(
    'apiKey and baseUrl are missing: pass them to createClient or set BROADSHEET_API_KEY and BROADSHEET_BASE_URL.',
  );
});

test('a baseUrl that ends in /public is refused: every post would seem to be missing', () => {
  for (const path of ['/public', '/api/public/']) {
    const create = () => createClient({ baseUrl: `https://blog.example${path}`, apiKey: KEY });
    expect(create).toThrow('must not end in /public');
  }
  expect(() => createClient({ baseUrl: 'https://blog.example/public-api', apiKey: KEY })).not.toThrow();
});

test('an environment that is absent or not readable counts as empty', () => {
  const unreadable = new Proxy({}, { get: () => expect.unreachable() });
  for (const process of [{ env: unreadable }, {}, undefined]) {
    vi.stubGlobal('process', process);
    expect(() => createClient({ baseUrl: 'https://blog.example' })).toThrow('apiKey is missing');
    vi.unstubAllGlobals();
  }
});

test('a page is warned once that its key can be read, unless that is confirmed', () => {
  const said = vi.spyOn(console, 'info').mockImplementation(() => {});
  const options = { baseUrl: 'https://blog.example', apiKey: KEY };
  createClient(options);
  vi.stubGlobal('document', {});
  createClient({ ...options, browser: true });
  expect(said).not.toHaveBeenCalled();
  createClient(options);
  createClient(options);
  expect(said.mock.calls).toEqual([[expect.stringContaining('pass { browser: true } to createClient.')]]);
});
