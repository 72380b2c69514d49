import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { ErrorEnvelope, validate } from '@broadsheet/contract/schemas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { hostileBytes, sendBytes } from './hostile-bytes.ts';
import { type HostileRequest, hostileRequest, seeded } from './hostile-request.ts';

const LANES = 32;

interface RawResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function send(url: string, agent: Agent, { body, ...options }: HostileRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body: text }),
      );
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The problem of a response, if there is one. */
function complaint(
  sent: { readonly method: string; readonly path: string },
  { status, type, body }: RawResponse,
): string | undefined {
  if (status >= 500) return `status ${status}: ${body.slice(0, 300)}`;
  if (status < 400 || sent.method === 'HEAD') return undefined;
  // Pages outside the API are HTML.
  if (status === 404 && sent.path.startsWith('/errors/') && type.startsWith('text/html')) return undefined;
  try {
    const envelope = validate(ErrorEnvelope, JSON.parse(body));
    if (envelope.ok && envelope.value.error.statusCode === status) return undefined;
  } catch {
    // Reported below.
  }
  return `status ${status} without the envelope: ${body.slice(0, 300)}`;
}

/** The same for a response in bytes, which must not be empty. */
function complaintOfBytes(sent: string, response: string): string | undefined {
  // `100 Continue` precedes the response and has no body.
  const [, status = '', rest = ''] =
    /^(?:HTTP\/1\.1 1.*\r\n(?:.+\r\n)*\r\n)*HTTP\/1\.1 (\d+) ([\s\S]*)$/.exec(response) ?? [];
  const start = rest.indexOf('\r\n\r\n') + 4;
  const length = Number(/\ncontent-length: *(\d+)/i.exec(rest)?.[1]);
  const type = /\ncontent-type: *(.*)\r/i.exec(rest)?.[1] ?? '';
  if (status === '') return `no response: ${response.slice(0, 100)}`;
  const [method = '', path = ''] = sent.trimStart().split(' ');
  const body = rest.slice(start, start + length);
  return complaint({ method, path }, { status: Number(status), type, body });
}

/** Sends hostile requests to a server on each kind of database, and one with altered bytes for every 25 of them. */
export function describeHostileInput(requests: number): void {
  for (const seed of seedsOf()) describeSequence(seed, requests);
}

function describeSequence(seed: number, requests: number): void {
  describeDatabases(`hostile input (seed ${seed})`, (database) => {
    let server: ServerProcess;
    let random: () => number;
    let log = '';
    beforeAll(async () => {
      await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
      server = await serve(['--import', 'blog.json', '--database', database.url], {
        cwd: database.cwd,
        env: { TRUST_PROXY: '1' },
      });
      server.child.stderr?.on('data', (text) => (log += text));
      random = seeded(seed + database.url.length);
    });
    afterAll(async () => expect(await server.stop()).toBe(0));

    /** Runs `work` in parallel lanes, `times` times in total; ends early after ten complaints. */
    async function run(times: number, work: () => Promise<string | undefined>): Promise<void> {
      const complaints: string[] = [];
      let begun = 0;
      const lane = async () => {
        while (begun < times && complaints.length < 10) {
          begun += 1;
          const wrong = await work();
          if (wrong) complaints.push(wrong);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(complaints).toEqual([]);
      // A 4xx is not logged.
      expect(log).toBe('');
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    }

    it(`${requests} hostile requests: no 5xx, and every error uses the envelope`, { timeout: 600_000 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: LANES });
      const headers = { 'X-API-Key': 'test-key' };
      const delivery = await fetch(`${server.url}/public/ads/formats/BANNER`, { headers });
      const { clickToken } = (await delivery.json()) as { clickToken: string };
      const statuses = new Set<number>();
      try {
        await run(requests, async () => {
          const hostile = hostileRequest(random, clickToken);
          const name = () => JSON.stringify(hostile).slice(0, 600);
          try {
            const response = await send(server.url, agent, hostile);
            statuses.add(response.status);
            const wrong = complaint(hostile, response);
            return wrong && `${name()} -> ${wrong}`;
          } catch (error) {
            // A body that is not fully read may break the connection before the response arrives.
            const { code } = error as NodeJS.ErrnoException;
            return code === 'ECONNRESET' || code === 'EPIPE' ? undefined : `${name()} -> ${error}`;
          }
        });
        // The requests reached the whole API, not only the checks at its entrance.
        expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 415]));
      } finally {
        agent.destroy();
      }
    });

    it(`${requests / 25} requests with altered bytes all get a response`, { timeout: 600_000 }, async () => {
      await run(requests / 25, async () => {
        const bytes = hostileBytes(random);
        // Most requests get a response immediately or wait for more bytes; on a busy machine, some need the longer
        // timeout.
        const response = (await sendBytes(server.url, bytes, 100)) || (await sendBytes(server.url, bytes, 15_000));
        const wrong = complaintOfBytes(bytes, response);
        return wrong && `${JSON.stringify(bytes)} -> ${wrong}`;
      });
    });
  });
}
