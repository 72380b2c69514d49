import { fileURLToPath } from 'node:url';
import { fetchAlone, runWorker, type Workerd } from '../../../tools/testing/workerd.ts';

const TOKEN = 'a-token-of-management-that-only-tests-know';

/** A deployment in workerd, with management enabled. */
export interface Deployment extends Workerd {
  readonly token: string;
  /** Runs a verb of a blog's object, or of the deployment itself; the arguments follow the id of the blog. */
  manage(blog: string | undefined, verb: string, ...args: unknown[]): Promise<unknown>;
  /** Imports a blog in one part. */
  importBlog(blog: Readonly<Record<string, unknown>> & { readonly id: string }, now: number): Promise<void>;
}

/** @param folder where data is stored; in memory by default */
export async function deploy({
  entry = '../src/index.ts',
  folder,
  token = TOKEN,
}: {
  readonly entry?: string;
  readonly folder?: string;
  readonly token?: string;
} = {}): Promise<Deployment> {
  const workerd = await runWorker(fileURLToPath(new URL(entry, import.meta.url)), {
    bindings: { ADMIN_TOKEN: token },
    ...(folder !== undefined && { durableObjectsPersist: folder }),
  });
  const deployment: Deployment = {
    ...workerd,
    token,
    async importBlog(blog, now) {
      const part = crypto.randomUUID();
      await deployment.manage(blog.id, 'addImportPart', part, blog);
      await deployment.manage(blog.id, 'importParts', [part], now, {});
    },
    async manage(blog, verb, ...args) {
      const of = blog === undefined ? '' : `/blogs/${encodeURIComponent(blog)}`;
      const address = `${workerd.url}/manage${of}/${verb}`;
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetchAlone(new Request(address, { method: 'POST', headers, body: JSON.stringify(args) }));
      const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
      if (error) throw new Error(`${answer.status}: ${error.message}`);
      return result;
    },
  };
  return deployment;
}
