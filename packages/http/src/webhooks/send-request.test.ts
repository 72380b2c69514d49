import type { lookup } from 'node:dns';
import { expect, test } from 'vitest';
import { bodyOf, openSite } from '../../../../tools/testing/site.ts';
import { createSendRequest } from './send-request.ts';

const send = createSendRequest({ allowPrivate: false });
const anywhere = createSendRequest({ allowPrivate: true });
const request = (signal = new AbortController().signal) => ({ headers: { 'webhook-id': 'msg_1' }, body: '{}', signal });

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://0x7f000001/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http://localhost/',
  'http://0.0.0.0/',
  'http://0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[2001::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://192.88.99.1/',
  'http://192.31.196.1/',
])('nothing is sent to %s', async (url) => {
  await expect(send(url, request())).rejects.toThrow(/is not a public address/);
});

test('the address to which a name resolves is checked when the connection is made', async () => {
  await using site = await openSite((_, response) => void response.end('reached'));
  const { port } = new URL(site.url);
  const addresses = ['93.184.215.14', '127.0.0.1'];
  let asked = 0;
  // Lookups return different addresses, so the check must use the lookup of the connection itself.
  const changing = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
    asked += 1;
    callback(null, [{ address: addresses.pop(), family: 4 }]);
  }) as unknown as typeof lookup;
  const guarded = createSendRequest({ allowPrivate: false, lookup: changing });
  await expect(guarded(`http://site.example:${port}/`, request())).rejects.toThrow(
    'site.example (127.0.0.1) is not a public address',
  );
  expect(asked).toBe(1);
});

test('a name with one private address among several is refused', async () => {
  const both = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(null, [
      { address: '93.184.215.14', family: 4 },
      { address: '::1', family: 6 },
    ])) as unknown as typeof lookup;
  const guarded = createSendRequest({ allowPrivate: false, lookup: both });
  await expect(guarded('https://site.example/', request())).rejects.toThrow('site.example (::1)');
});

test('a request arrives with its headers and body, and the beginning of the response is kept', async () => {
  const received: string[] = [];
  await using site = await openSite(async (incoming, response) => {
    received.push(`${incoming.method} ${incoming.headers['webhook-id']} ${await bodyOf(incoming)}`);
    response.writeHead(201).end('x'.repeat(10_000_000));
  });
  const { status, text } = await anywhere(site.url, request());
  expect(received).toEqual(['POST msg_1 {}']);
  expect([status, text.length]).toEqual([201, 500]);
});

test('redirects are not followed', async () => {
  let requests = 0;
  await using site = await openSite((_, response) => {
    requests += 1;
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  });
  const { status, text } = await anywhere(site.url, request());
  expect([status, text, requests]).toEqual([302, 'Redirects are not followed: http://169.254.169.254/\n', 1]);
});

test('a failed connection rejects, and so does an aborted request', async () => {
  const site = await openSite((_, response) => void response.destroy());
  await expect(anywhere(site.url, request())).rejects.toThrow(/hang up|ECONNRESET/);
  await site.close();
  await expect(anywhere(site.url, request())).rejects.toThrow(/ECONNREFUSED/);
  await expect(anywhere(site.url, request(AbortSignal.abort()))).rejects.toThrow(/aborted/);
});
