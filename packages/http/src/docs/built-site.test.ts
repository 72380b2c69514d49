import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { siteFile } from './built-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'broadsheet-site-'));
mkdirSync(join(folder, 'site/documents'), { recursive: true });
writeFileSync(join(folder, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'site/documents/One_schema,_whose.html'), '<p>One');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const site = pathToFileURL(`${folder}/site/`);

test('sends a file of the site under a policy that lets nothing in from elsewhere', async () => {
  const answer = await siteFile('documents/One_schema,_whose.html', site);
  expect(await answer?.text()).toBe('<p>One');
  expect(answer?.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer?.headers.get('content-security-policy')).toContain("default-src 'self'");
});

test.each([
  '',
  'documents',
  'missing.html',
  '../secret.txt',
  'documents/../../secret.txt',
  '/etc/x.txt',
  'a%2e.html',
  '.x.html',
])('has no file %j', async (path) => {
  expect(await siteFile(path, site)).toBeUndefined();
});
