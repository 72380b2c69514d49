// Prints how many of our files and functions a request runs on its way through the server, from V8's coverage of one
// warm call: `node --conditions=@broadsheet/source tools/count-path.ts`. `--list` also prints the functions.
import { Session } from 'node:inspector/promises';
import { AD_FORMATS } from '../packages/contract/src/index.ts';
import { createServer, openStore } from '../packages/server/src/index.ts';

const PACKAGES = new URL('../packages/', import.meta.url).href;
const KEY = 'count-path';
/** A cached list is served from its third request on, and a placement is known after the first. */
const WARM_UP = 5;
/** Several calls are compared, so that background work, such as the round of a timer, is not counted. */
const CALLS = 10;

const slots = AD_FORMATS.slice(0, 4).map((format, index) => ({ slotId: `slot-${index}`, format }));
const headers = { 'x-api-key': KEY, 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/140.0' };
const REQUESTS: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
  ['cached list', '/public/posts?limit=10', { headers }],
  ['batch of ads', '/public/ads/formats', { headers, method: 'POST', body: JSON.stringify({ slots }) }],
];

/** Our functions that run in each of several calls, as `file: function (place)`. */
async function functionsOf(session: Session, call: () => Promise<unknown>): Promise<string[]> {
  let common: string[] | undefined;
  for (let turn = 0; turn < CALLS; turn += 1) {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const ours = result.filter(({ url }) => url.startsWith(PACKAGES));
    const ran = ours.flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [range] }) =>
        range && range.count > 0 ? [`${url.slice(PACKAGES.length)}: ${functionName} (${range.startOffset})`] : [],
      ),
    );
    common = common?.filter((name) => ran.includes(name)) ?? ran;
  }
  return common ?? [];
}

const store = await openStore('sqlite::memory:');
const ads = slots.map(({ format }) => ({ id: crypto.randomUUID(), format, title: format }));
await store.putBlog({ id: 'b', name: 'B', apiKeys: [KEY], posts: [], ads }, Date.now());
const server = await createServer({ store, port: 0 });
const session = new Session();
session.connect();
await session.post('Profiler.enable');
for (const [name, path, init] of REQUESTS) {
  const call = async () => (await fetch(server.url + path, init)).text();
  for (let turn = 0; turn < WARM_UP; turn += 1) await call();
  const found = (await functionsOf(session, call)).sort();
  const files = new Set(found.map((text) => text.split(':')[0]));
  console.log(`${name}: ${files.size} files, ${found.length} functions`);
  if (process.argv.includes('--list')) console.log(found.map((text) => `  ${text}`).join('\n'));
}
await server.close();
await store.close();
