import { type Grant, manage } from '@broadsheet/management';
import { blogObjectName, INDEX_NAME } from '../objects/directory.ts';
import type { Environment } from '../objects/environment.ts';

/** The minimum length of the secret: a shorter one could be guessed. */
const MIN_TOKEN = 32;

/** The maximum number of bytes of arguments that fit into rows of an object, which have at most 2 MB. */
const MAX_BYTES = 2_000_000;

/** Answers `/manage` of a deployment; without its secret, each path returns 404. */
export async function manageDeployment(request: Request, { BLOGS, ADMIN_TOKEN = '' }: Environment): Promise<Response> {
  if (ADMIN_TOKEN.length < MIN_TOKEN) return new Response('Not found\n', { status: 404 });
  const secret: Grant = { name: 'ADMIN_TOKEN', scope: 'all', blogId: null, isSecret: true };
  const index = BLOGS.getByName(INDEX_NAME);
  return manage(request, {
    findToken: async (token) => ((await sameText(token, ADMIN_TOKEN)) ? secret : index.findToken(token)),
    listBlogIds: () => index.listBlogIds(),
    run({ blogId, args }) {
      const object = blogId === undefined ? index : BLOGS.getByName(blogObjectName(blogId));
      return object.fetch(new Request(request.url, { method: 'POST', body: JSON.stringify(args) }));
    },
    writeLog: (entry) => index.writeLog(entry),
    report: console.error,
    maxBytes: MAX_BYTES,
  });
}

/** Compares digests, so that the time taken reveals nothing about the text. */
async function sameText(a: string, b: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}
