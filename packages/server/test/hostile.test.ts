import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { ErrorEnvelope, validate } from '@broadsheet/contract';
import { expect, it } from 'vitest';
import { serve } from './broadsheet.ts';
import { describeDatabases } from './databases.ts';
import { type HostileRequest, hostileRequest, seeded } from './hostile-request.ts';
import { TEST_BLOG } from './memory-server-store.ts';

/** HOSTILE_REQUESTS=100000 is the long run, HOSTILE_SEED another one. */
const REQUESTS = Number(process.env['HOSTILE_REQUESTS'] ?? 3000);
const SEED = Number(process.env['HOSTILE_SEED'] ?? 1);
const LANES = 32;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function send(url: string, agent: Agent, { body, ...options }: HostileRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', body: text }),
      );
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** What is wrong with an answer, if anything. */
function complaint(sent: HostileRequest, { status, type, body }: Answer): string | undefined {
  if (status >= 500) return `status ${status}: ${body.slice(0, 300)}`;
  if (status < 400 || sent.method === 'HEAD') return undefined;
  // The pages beside the API are for people.
  if (status === 404 && sent.path.startsWith('/errors/') && type.startsWith('text/html')) return undefined;
  try {
    const envelope = validate(ErrorEnvelope, JSON.parse(body));
    if (envelope.ok && envelope.value.error.statusCode === status) return undefined;
  } catch {
    // Said below.
  }
  return `status ${status} without the envelope: ${body.slice(0, 300)}`;
}

describeDatabases(`${REQUESTS} hostile requests (seed ${SEED})`, (database) => {
  it('are all answered, none with 5xx, every failure in the envelope', { timeout: 600_000 }, async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    const server = await serve(['--import', 'blog.json', '--database', database.url], {
      cwd: database.cwd,
      env: { TRUST_PROXY: '1' },
    });
    let log = '';
    server.child.stderr?.on('data', (text) => (log += text));
    const agent = new Agent({ keepAlive: true, maxSockets: LANES });
    const random = seeded(SEED);
    const complaints: string[] = [];
    const statuses = new Map<number, number>();
    let sent = 0;
    const lane = async () => {
      while (sent < REQUESTS && complaints.length < 10) {
        sent += 1;
        const hostile = hostileRequest(random);
        try {
          const answer = await send(server.url, agent, hostile);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const wrong = complaint(hostile, answer);
          if (wrong) complaints.push(`${JSON.stringify(hostile).slice(0, 600)} -> ${wrong}`);
        } catch (error) {
          // A body that is not read to its end may cost the connection; the answer was on its way.
          const { code } = error as NodeJS.ErrnoException;
          if (code !== 'ECONNRESET' && code !== 'EPIPE')
            complaints.push(`${JSON.stringify(hostile).slice(0, 600)} -> ${error}`);
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(complaints).toEqual([]);
      expect(log).toBe('');
      // It was a run over the whole API, not over its front door.
      for (const status of [200, 400, 401, 404, 405, 415]) expect([...statuses.keys()]).toContain(status);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    } finally {
      agent.destroy();
      expect(await server.stop()).toBe(0);
    }
  });
});
