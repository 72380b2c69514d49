import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { fetchAlone, runWorker, type Workerd } from '../../../tools/testing/workerd.ts';

const TOKEN = 'a-token-of-management-that-only-tests-know';

/** A deployment in workerd, with management enabled. */
export interface Deployment extends Workerd {
  readonly token: string;
  /** Runs a command on a blog, or on the deployment itself with an empty id. */
  manage(blog: string, name: string, args?: object): Promise<unknown>;
  /** Imports a blog in one part. */
  importBlog(blog: Readonly<Record<string, unknown>> & { readonly id: string }): Promise<void>;
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
    async importBlog(blog) {
      const name = createHash('sha256').update(JSON.stringify(blog)).digest('hex');
      await deployment.manage(blog.id, 'import.add', { name, part: blog });
      await deployment.manage(blog.id, 'import.run', { parts: [name] });
    },
    async manage(blog, name, args = {}) {
      const of = blog === '' ? '' : `/blogs/${encodeURIComponent(blog)}`;
      const address = `${workerd.url}/manage${of}/${name}`;
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetchAlone(new Request(address, { method: 'POST', headers, body: JSON.stringify(args) }));
      const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
      if (error) throw new Error(`${response.status}: ${error.message}`);
      return result;
    },
  };
  return deployment;
}
