import { OutcomeUnknown } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { openSite } from '../../../../tools/testing/site.ts';
import type { Actor, CommandTable } from '../commands/command.ts';
import { COMMANDS } from '../commands/commands.ts';
import { commandResponse, type ManagementHost, manage } from './manage.ts';
import { createManagementClient } from './management-client.ts';

const TABLE: CommandTable = COMMANDS;
const ALL: Actor = { name: 'ADMIN_TOKEN', scope: 'all', blogId: null, isOperator: true };

/** A host whose token is valid for some verifications. */
function hostFor(valid = Number.POSITIVE_INFINITY) {
  const ran: string[] = [];
  let verified = 0;
  const host: ManagementHost = {
    commands: TABLE,
    findToken: async () => {
      verified += 1;
      return verified <= valid ? ALL : undefined;
    },
    listBlogIds: async () => [],
    async run({ name }) {
      ran.push(name);
      return Response.json({ result: null });
    },
    report: () => {},
  };
  return { host, ran };
}

function requestFor(name: string, body: BodyInit): Request {
  const path = TABLE[name]?.on === 'server' ? name : `blogs/news/${name}`;
  const headers = { authorization: 'Bearer token' };
  return new Request(`https://blog.example/manage/${path}`, { method: 'POST', headers, body, ...{ duplex: 'half' } });
}

test.each(Object.keys(TABLE))('%s is not run when its token is revoked while the arguments arrive', async (name) => {
  const { host, ran } = hostFor(1);
  expect((await manage(requestFor(name, '{}'), host)).status).toBe(401);
  expect(ran).toEqual([]);
});

const IMAGE = 14 * 1024 * 1024;
const LARGE: Readonly<Record<string, number>> = {
  ...{ 'import.add': 2_000_000, 'media.add': IMAGE, 'ads.add': IMAGE, 'ads.edit': IMAGE },
};

test.each(Object.keys(TABLE))('%s refuses arguments beyond its limit without reading the rest', async (name) => {
  const limit = LARGE[name] ?? 64 * 1024;
  const chunk = new TextEncoder().encode('[0,0]'.repeat(10_000));
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += chunk.length;
      controller.enqueue(chunk);
      if (sent > 20 * 1024 * 1024) controller.close();
    },
  });
  const { host, ran } = hostFor();
  expect((await manage(requestFor(name, body), host)).status).toBe(413);
  expect(sent).toBeLessThanOrEqual(limit + 3 * chunk.length);
  expect(ran).toEqual([]);
});

test.each(Object.keys(TABLE))('%s accepts arguments up to its limit', async (name) => {
  const { host, ran } = hostFor();
  expect((await manage(requestFor(name, '{}'.padEnd(LARGE[name] ?? 64 * 1024)), host)).status).toBe(200);
  expect(ran).toEqual([name]);
});

test('requests of one token hold at most 64 MiB together', async () => {
  const { host, ran } = hostFor();
  const slow = Array.from({ length: 5 }, () => {
    const { promise: read, resolve: begin } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const body = new ReadableStream<Uint8Array>({ start: (controller) => begin(controller) });
    const request = requestFor('media.add', body);
    request.headers.set('content-length', String(IMAGE));
    return { read, response: manage(request, host) };
  });
  const last = await slow[4]?.response;
  expect([last?.status, last?.headers.get('retry-after')]).toEqual([429, '1']);
  // A small request gets a response in the meantime, and a large one once the others have theirs.
  expect((await manage(requestFor('blogs.show', '{}'), host)).status).toBe(200);
  for (const { read, response } of slow.slice(0, 4)) {
    const controller = await read;
    controller.enqueue(new TextEncoder().encode('{}'));
    controller.close();
    expect((await response).status).toBe(200);
  }
  expect((await manage(requestFor('media.add', '{}'), host)).status).toBe(200);
  expect(ran).toEqual(['blogs.show', ...Array(5).fill('media.add')]);
});

test('a sender that leaves before the arguments have arrived is not an error of the server', async () => {
  const reported: unknown[] = [];
  const host = { ...hostFor().host, report: (error: unknown) => reported.push(error) };
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error('aborted')),
  });
  expect((await manage(requestFor('stats', body), host)).status).toBe(400);
  expect(reported).toEqual([]);
});

test('a client gets the new key of a command of which nobody knows whether it was carried out', async () => {
  const lost = () => Promise.reject(new OutcomeUnknown('lost', { result: { apiKey: 'bs_new' } }));
  await using site = await openSite(async (_, response) => {
    const { status, headers, body } = await commandResponse(lost).then(async (sent) => ({
      ...{ status: sent.status, headers: Object.fromEntries(sent.headers), body: await sent.text() },
    }));
    response.writeHead(status, headers).end(body);
  });
  const client = createManagementClient(site.url, 'token', async () => {});
  const error = await client.run('keys.rotate', 'news', {}).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(OutcomeUnknown);
  expect((error as OutcomeUnknown).result).toEqual({ apiKey: 'bs_new' });
});
