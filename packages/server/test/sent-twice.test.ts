import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@broadsheet/store/node';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { bodyOf, openSite } from '../../../tools/testing/site.ts';
import { COMMAND_LINE, type Command, type CommandTable, isReading } from '../../management/src/commands/command.ts';
import { COMMANDS } from '../../management/src/commands/commands.ts';
import { runCommand } from '../../management/src/commands/run-command.ts';
import { createManagementClient } from '../../management/src/manage/management-client.ts';
import { comparable, resultsOf, SEQUENCE } from './command-sequence.ts';
import { serveInProcess } from './in-process.ts';

const TABLE: CommandTable = COMMANDS;
const TOKEN = `bst_${'a'.repeat(43)}`;
const HOUR = 60 * 60 * 1000;

describeDatabases('a command that is sent twice', (database) => {
  /** A database of the kind, with the changes in its log before its last command, which deletes the blog. */
  async function open() {
    const url = await database.another();
    const store = await openStore(url);
    onTestFinished(() => store.close());
    let log: readonly unknown[] = [];
    const readLog = async () => {
      const { entries } = await store.readLog({ oldestFirst: true, offset: 0, limit: 1000 });
      log = entries.map(({ what }) => comparable(what)).toSorted();
    };
    return { url, store, readLog, changes: () => log };
  }

  /** Forwards every request, and loses the first response to each. */
  async function startLosingProxy(upstream: string) {
    const seen = new Set<unknown>();
    const site = await openSite(async (incoming, outgoing) => {
      const body = await bodyOf(incoming);
      const headers = new Headers(incoming.headers as Record<string, string>);
      headers.delete('host');
      headers.delete('connection');
      headers.delete('content-length');
      const response = await fetch(upstream + incoming.url, { method: 'POST', headers, body });
      const text = await response.text();
      const number = incoming.headers['idempotency-key'];
      const isFirst = !seen.has(number);
      seen.add(number);
      if (isFirst) return void incoming.socket.destroy();
      outgoing.writeHead(response.status).end(text);
    });
    onTestFinished(() => site.close());
    return site.url;
  }

  it('each command whose response is lost runs once, and its client gets the first result', async () => {
    const [plain, lossy] = [await open(), await open()];
    const direct = await resultsOf(async (name, blog, args) => {
      if (name === 'blogs.delete') await plain.readLog();
      return runCommand(
        { store: plain.store, now: Date.now(), commands: TABLE },
        { name, blog, args, actor: COMMAND_LINE },
      );
    });
    const server = await serveInProcess(lossy.url);
    onTestFinished(() => server.stop());
    const record = { name: 'all', scope: 'all' as const, blogId: null, createdAt: '2026-01-01T00:00:00.000Z' };
    await server.store.createToken({ ...record, expiresAt: null }, TOKEN);
    const client = createManagementClient(await startLosingProxy(server.url), TOKEN, () => sleep(0));
    const repeated = await resultsOf(async (name, blog, args) => {
      if (name === 'blogs.delete') await lossy.readLog();
      return client.run(name, blog, args);
    });
    expect(repeated).toEqual(direct);
    expect(lossy.changes()).toEqual(plain.changes());
    expect(plain.changes().length).toBeGreaterThan(20);
  });

  it('a repeat has the same result after all items were deleted, for its sender and for an hour', async () => {
    const { store } = await open();
    const now = Date.now();
    const sent: { readonly call: Parameters<typeof runCommand>[1]; readonly result: unknown }[] = [];
    await resultsOf(async (name, blog, args) => {
      const call = { name, blog, args, actor: COMMAND_LINE, once: `number ${sent.length}` };
      const result = await runCommand({ store, now, commands: TABLE }, call);
      sent.push({ call, result });
      return result;
    });
    expect(sent).toHaveLength(SEQUENCE.length);
    const { total } = await store.readLog({ offset: 0, limit: 1 });
    const written = sent.filter(({ call }) => !isReading(TABLE[call.name] as Command, call.args));
    for (const { call, result } of written) {
      const again = (later: number, actor = COMMAND_LINE) =>
        runCommand({ store, now: now + later, commands: TABLE }, { ...call, actor }).then(
          (found) => found,
          (error: Error) => error,
        );
      if (TABLE[call.name]?.isIdempotent) continue;
      expect([call.name, await again(HOUR - 1)]).toEqual([call.name, JSON.parse(JSON.stringify(result ?? null))]);
      expect([call.name, await again(HOUR)]).toEqual([call.name, expect.objectContaining({ code: 'ALREADY_SENT' })]);
    }
    expect((await store.readLog({ offset: 0, limit: 1 })).total).toBe(total);
    const other = { ...COMMAND_LINE, name: 'token other' };
    const key = sent.find(({ call }) => call.name === 'keys.create');
    const ofOther = runCommand({ store, now, commands: TABLE }, { ...key?.call, actor: other } as never);
    await expect(ofOther).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
