import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchFirefox, launchFullChromium, REBOUND_HOST } from '../../../tools/testing/browsers.ts';
import { CHROMIUM, FIREFOX } from '../../../tools/testing/programs.ts';
import { createMock } from '../src/node.ts';

const browsers = [
  { name: 'Chromium', program: CHROMIUM, launch: launchFullChromium },
  { name: 'Firefox', program: FIREFOX, launch: launchFirefox },
];
for (const { name, program } of browsers) {
  if (!program) console.warn(`\n*** SKIPPED: ${name} is not installed: no website tries to control a mock ***\n`);
}

describe.each(browsers)('in $name', ({ program, launch }) => {
  const mock = createMock();
  const site = createServer(
    (_, response) => void response.setHeader('content-type', 'text/html').end('<p>A website</p>'),
  );
  let listening: Awaited<ReturnType<typeof mock.listen>>;
  let browser: Awaited<ReturnType<typeof launch>>;
  beforeAll(async () => {
    if (!program) return;
    await once(site.listen(0, '127.0.0.1'), 'listening');
    listening = await mock.listen();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await listening?.close();
    site.close();
  });

  /** Reads and controls a mock from a page, with requests that need no preflight. */
  async function control(host: string, port: number, base: string) {
    const page = await browser.newPage();
    try {
      await page.goto(`http://${host}:${port}/#${expect.getState().currentTestName}`);
      return await page.evaluate(async (worlds) => {
        const send = async (method: string) => {
          try {
            const response = await fetch(worlds, {
              method,
              ...(method === 'POST' && { body: JSON.stringify({ name: location.hash }) }),
            });
            return `${response.status} ${await response.text()}`;
          } catch (error) {
            return (error as Error).name;
          }
        };
        return [await send('GET'), await send('POST')];
      }, `${base}/__mock/worlds`);
    } finally {
      await page.close();
    }
  }
  const sitePort = () => (site.address() as AddressInfo).port;
  /** Whether the page of this test has created a world, which has the name of the test. */
  const made = async () => {
    const worlds: { name: string }[] = await (await fetch(`${listening.url}/__mock/worlds`)).json();
    return worlds.some(({ name }) => decodeURIComponent(name) === `#${expect.getState().currentTestName}`);
  };

  test.skipIf(!program)('a website neither reads nor controls a mock', async () => {
    expect(await control(REBOUND_HOST, sitePort(), listening.url)).toEqual(['TypeError', 'TypeError']);
    expect(await made()).toBe(false);
  });

  test.skipIf(!program)('a website whose own name resolves to the mock neither reads nor controls it', async () => {
    const responses = await control(REBOUND_HOST, listening.port, `http://${REBOUND_HOST}:${listening.port}`);
    // Only the POST has an Origin header.
    expect(responses[0]).toMatch(/^403 .*through the host rebound\.example:/);
    for (const response of responses) {
      expect(response).toMatch(/^403 .*; allow another with --allow-origin http:\/\/rebound\.example:/);
      expect(response).not.toContain(mock.main.apiKey);
    }
    expect(await made()).toBe(false);
  });

  test.skipIf(!program)('a page of this machine reads and controls a mock', async () => {
    const responses = await control('localhost', sitePort(), listening.url);
    expect(responses).toEqual([expect.stringMatching(/^200 .*"main"/), expect.stringMatching(/^201 .*"apiKey"/)]);
    expect(await made()).toBe(true);
  });
});
