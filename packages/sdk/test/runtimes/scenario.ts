import { createClient, isBroadsheetError } from '../../src/index.ts';

/** What became of a case: the code and phase of its error, or what it gave. */
export type Report = Readonly<Record<string, string>>;

/** Runs the cases against the server at `url`; nothing in here belongs to one runtime. */
export async function run(url: string): Promise<Report> {
  const report: Record<string, string> = {};
  for (const name of ['ok', 'flaky', 'stall', 'cut', 'html', 'redirect', 'refused', 'abort']) {
    const baseUrl = name === 'refused' ? 'http://127.0.0.1:1' : `${url}/${name}`;
    const retry = { limit: name === 'flaky' ? 2 : 0, baseDelay: 1 };
    const blog = createClient({
      baseUrl,
      apiKey: 'key',
      browser: true,
      timeout: name === 'stall' ? 1000 : 20_000,
      retry,
    });
    const controller = new AbortController();
    const call = blog.posts.get('1', { signal: controller.signal });
    if (name === 'abort') setTimeout(() => controller.abort(), 50);
    const { ok, data, error } = await call.safe();
    if (ok) report[name] = `gave ${data.id}`;
    else report[name] = isBroadsheetError(error) ? `${error.code} in ${error.phase}` : `raw ${error}`;
  }
  return report;
}
