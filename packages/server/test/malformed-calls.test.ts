import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { png } from '../../../tools/testing/images.ts';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import type { BlogVerbs } from '../../management/src/remote/verbs.ts';
import { newSecret } from '../../management/src/webhooks/signature.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { command } from './command.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const AD = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', format: 'BANNER', title: 'Tea' };
const CAMPAIGN = { id: 'c', sponsor: 'Tea', name: 'Spring' };
const POST = { id: 'p', title: 'P', slug: 'p' };
const BLOG = { id: 'fuzzed', name: 'Fuzzed', posts: [POST], campaigns: [CAMPAIGN], ads: [AD] };
const HOOK = { id: 'hook', url: 'https://site.example/', types: [], secret: newSecret() };

/** Arguments of each verb that are accepted; the compiler asks for those of a new verb. */
const VALID: Readonly<Record<keyof BlogVerbs, readonly unknown[]>> = {
  createBlog: [{ name: 'Fuzzed', domains: [] }],
  addImportPart: ['part', BLOG],
  missingParts: [['part']],
  importParts: [['part'], NOW, { prune: false }],
  listBlogs: [],
  setDomains: [['news.example'], []],
  renameBlog: ['Name'],
  setTimeZone: ['Asia/Tokyo'],
  exportBlog: [],
  listAllPosts: [
    { status: 'DRAFT', search: 'p', order: 'id' },
    { offset: 0, limit: 10 },
  ],
  getAnyPost: ['p'],
  createPreviewToken: ['p', NOW],
  publishPost: ['p', { now: NOW, at: NOW }],
  unpublishPost: ['p', NOW],
  exportPost: ['p'],
  deletePost: ['p', NOW],
  listKeys: [],
  addKey: ['a key', NOW],
  rotateKey: ['another key', NOW],
  revokeKeys: ['62af8704764f', NOW],
  listAllAds: [],
  putAd: [AD, AD],
  setAdActive: [AD.id, true],
  exportAd: [AD.id],
  putCampaign: [CAMPAIGN, CAMPAIGN],
  listCampaigns: [],
  exportCampaign: ['c'],
  addImage: [Buffer.from(png(1, 1)).toString('base64')],
  missingImages: [['0'.repeat(64)]],
  pruneImages: [],
  moveMedia: ['https://old.example', 'https://new.example'],
  addHook: [HOOK, NOW],
  rotateHook: [{ id: 'hook', secret: newSecret() }, NOW],
  listHooks: [],
  testHook: ['hook'],
  listHookMessages: [10],
  sendHookMessage: ['message'],
  deleteHook: ['hook'],
  countsByDay: [{ from: '2026-01-01', to: '2026-02-01' }],
  countsByCampaign: [{}],
  countsByTraffic: [{}],
  countsByPlacement: [{}],
  deleteAd: [AD.id, NOW],
  deleteCampaign: ['c', NOW],
  listBin: [NOW],
  restoreFromBin: [{ kind: 'post', id: 'p', deletedAt: NOW }, NOW],
  deleteBlog: [],
};

const LONG = 'x'.repeat(2_500_000);
const RANDOM = Array.from({ length: 400 }, () => crypto.randomUUID()).join('');
const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
/** Replacements of an argument or of a field, as JSON. */
const HOSTILE = [
  ...[null, -1, 1.5, 1e308, 9e15, 2 ** 53, '', 'x', '\0', '\ud800', LONG, RANDOM, true, [], {}, [null], ['\0']].map(
    (value) => JSON.stringify(value),
  ),
  JSON.stringify(Array.from({ length: 70_000 }, (_, index) => `part ${index}`)),
  '[[[[]]]]',
  '{"__proto__":[]}',
  NESTED,
];

/** The bodies of a verb in which one value is malformed. */
function* malformed(args: readonly unknown[]): Generator<string> {
  const json = args.map((arg) => JSON.stringify(arg));
  const body = (index: number, value: string) => `[${json.with(index, value).join(',')}]`;
  for (const [index, arg] of args.entries()) {
    yield `[${json.slice(0, index).join(',')}]`;
    for (const value of HOSTILE) yield body(index, value);
    if (typeof arg !== 'object' || arg === null || Array.isArray(arg)) continue;
    const fields = Object.entries(arg);
    for (const [name] of fields) {
      const others = fields
        .filter(([other]) => other !== name)
        .map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
      for (const value of HOSTILE) yield body(index, `{${[...others, `"${name}":${value}`].join(',')}}`);
    }
  }
}

const brief = (body: string): string => (body.length > 120 ? `${body.slice(0, 60)}…${body.slice(-60)}` : body);

/** The bodies that were answered with a server error, and how. */
async function failures(post: (path: string, body: string) => Promise<{ status: number; text: string }>) {
  const failed: string[] = [];
  const send = async (verb: string, body: string, blog = 'fuzzed') => {
    const { status, text } = await post(`/blogs/${blog}/${verb}`, body);
    if (status >= 500) failed.push(`${verb} ${brief(body)}: ${status} ${text.slice(0, 200)}`);
    return status;
  };
  for (const [verb, args] of Object.entries(VALID)) {
    if (verb !== 'createBlog') {
      await send('addImportPart', JSON.stringify(VALID.addImportPart));
      await send('importParts', JSON.stringify(VALID.importParts));
    }
    for (const body of malformed(args)) await send(verb, body);
    await send(verb, JSON.stringify(args).replaceAll('whsec_', 'whsec_*'));
    await send(verb, JSON.stringify(args), 'missing');
  }
  for (const body of ['', '[', '{}', 'null', NESTED, '\0', '["\ud800']) {
    if ((await send('listKeys', body)) !== 400 && body !== NESTED) failed.push(`listKeys ${brief(body)} was accepted`);
  }
  return failed;
}

describeDatabases('malformed calls of a server', (database) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await serve(['--database', database.url], database);
  });
  afterAll(() => server.stop());

  it('are refused with a status below 500', { timeout: 300_000 }, async () => {
    const args = ['tokens', 'create', 'fuzz', '--scope', 'all', '--json', '--database', database.url];
    const { token } = JSON.parse((await command(args, database)).stdout);
    const headers = { authorization: `Bearer ${token}` };
    const found = await failures(async (path, body) => {
      const answer = await fetch(`${server.url}/manage${path}`, { method: 'POST', headers, body });
      return { status: answer.status, text: await answer.text() };
    });
    expect(found).toEqual([]);
  });
});

describe('malformed calls of a deployment', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy();
  });
  afterAll(() => deployment.stop());

  it('are refused with a status below 500', { timeout: 300_000 }, async () => {
    const headers = { authorization: `Bearer ${deployment.token}` };
    const found = await failures(async (path, body) => {
      const answer = await fetchAlone(
        new Request(`${deployment.url}/manage${path}`, { method: 'POST', headers, body }),
      );
      return { status: answer.status, text: await answer.text() };
    });
    expect(found).toEqual([]);
  });
});
