import { type Grant, manage } from '@broadsheet/management';
import { blogObjectName, INDEX_NAME } from '../objects/directory.ts';
import type { Environment } from '../objects/environment.ts';

/** The minimum length of a token: a shorter one could be guessed. */
const MIN_TOKEN = 32;

/** Answers `/manage` of a deployment; without its secret, each path returns 404. */
export async function manageDeployment(request: Request, { BLOGS, ADMIN_TOKEN = '' }: Environment): Promise<Response> {
  if (ADMIN_TOKEN.length < MIN_TOKEN) return new Response('Not found\n', { status: 404 });
  const secret: Grant = { name: 'ADMIN_TOKEN', scope: 'all', blogId: null, isSecret: true };
  return manage(request, {
    findToken: async (token) => ((await sameText(token, ADMIN_TOKEN)) ? secret : undefined),
    listBlogIds: () => BLOGS.getByName(INDEX_NAME).listBlogIds(),
    run({ blogId, args }) {
      const object = BLOGS.getByName(blogId === undefined ? INDEX_NAME : blogObjectName(blogId));
      return object.fetch(new Request(request.url, { method: 'POST', body: JSON.stringify(args) }));
    },
    // A deployment has no panel that could show the log.
    writeLog: async () => {},
    report: console.error,
  });
}

/** Compares digests, so that the time taken reveals nothing about the text. */
async function sameText(a: string, b: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}
