import { type Blog, type ClientOptions, createClient, isBroadsheetError } from '../../src/index.ts';

/** What became of each case: the code and phase of its error, or what it gave. */
export type Report = Readonly<Record<string, string>>;

/** A key that a search for leaks can find. */
export const KEY = 'bsk_SECRET';

const abortSoon = (): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort('enough'), 100);
  return controller.signal;
};

/** Each is run against the part of the server with its name. Nothing in here belongs to one runtime. */
const cases: Readonly<Record<string, readonly [(blog: Blog) => PromiseLike<unknown>, ClientOptions?]>> = {
  one: [async (blog) => (await blog.posts.get('1')).id],
  meta: [async (blog) => (await blog.posts.get('1').withMeta()).requestId],
  list: [async (blog) => (await blog.posts.list({ limit: 2 }).collect()).map(({ id }) => id)],
  cloned: [async (blog) => structuredClone(await blog.posts.list({ limit: 2 })).cursor],
  flaky: [async (blog) => (await blog.posts.get('1')).id, { retry: { limit: 2, baseDelay: 1 } }],
  click: [async (blog) => (await blog.ads.click('token')).status],
  visitor: [
    async (blog) => {
      const ad = await blog.ads.deliver('BANNER', { visitor: { origin: 'https://visitor.example' } });
      return ad.filled && ad.title;
    },
  ],
  moved: [async (blog) => (await blog.posts.get('1')).id],
  cached: [async (blog) => (await blog.posts.get('1')).id, { fetchOptions: { cache: 'force-cache' } }],
  unauthorized: [(blog) => blog.posts.get('1')],
  silent: [(blog) => blog.posts.get('1'), { timeout: 500 }],
  stall: [(blog) => blog.posts.get('1'), { timeout: 1000 }],
  cut: [(blog) => blog.posts.get('1')],
  html: [(blog) => blog.posts.get('1')],
  broken: [(blog) => blog.posts.get('1')],
  mismatch: [(blog) => blog.posts.get('1'), { validate: 'strict' }],
  redirect: [(blog) => blog.posts.get('1')],
  refused: [(blog) => blog.posts.get('1'), { baseUrl: 'http://127.0.0.1:1' }],
  nowhere: [(blog) => blog.posts.get('1'), { baseUrl: 'https://nowhere.invalid' }],
  'abort-connect': [(blog) => blog.posts.get('1', { signal: abortSoon() })],
  'abort-body': [(blog) => blog.posts.get('1', { signal: abortSoon() })],
};

/** Runs the cases against the server at `url`. */
export async function run(url: string): Promise<Report> {
  const report: Record<string, string> = {};
  for (const [name, [use, options]] of Object.entries(cases)) {
    const blog = createClient({
      baseUrl: `${url}/${name}`,
      apiKey: KEY,
      browser: true,
      timeout: 20_000,
      retry: 0,
      ...options,
    });
    report[name] = await use(blog).then((given) => `gave ${given}`, told);
  }
  return report;
}

function told(error: unknown): string {
  if (!isBroadsheetError(error)) return `raw ${error}`;
  const { message, stack, cause, code, phase, name } = error;
  const seen = [message, stack, String(cause), JSON.stringify(cause), JSON.stringify(error)].join(' ');
  return seen.includes(KEY) ? `the key, in ${seen}` : `${name} ${code} in ${phase}`;
}
