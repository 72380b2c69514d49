import { type Actor, type CommandCall, commandResponse, manage } from '@broadsheet/management';
import { blogObjectName, INDEX_NAME } from '../objects/directory.ts';
import type { Environment } from '../objects/environment.ts';
import { DEPLOYMENT_COMMANDS } from './commands.ts';

/** The minimum length of the secret: a shorter one could be guessed. */
const MIN_TOKEN = 32;

/** The number of blogs that are asked in parallel. */
const AT_ONCE = 8;

/** Handles `/manage` of a deployment; without its secret, each path returns 404. */
export async function manageDeployment(
  request: Request,
  { BLOGS, ADMIN_TOKEN = '' }: Environment,
  commands = DEPLOYMENT_COMMANDS,
): Promise<Response> {
  if (ADMIN_TOKEN.length < MIN_TOKEN) return new Response('Not found\n', { status: 404 });
  const secret: Actor = { name: 'ADMIN_TOKEN', scope: 'all', blogId: null, isOperator: true };
  const index = BLOGS.getByName(INDEX_NAME);
  const send = ({ name, blog, ...call }: CommandCall): Promise<Response> => {
    const object = blog === '' ? index : BLOGS.getByName(blogObjectName(blog));
    const path = `${blog === '' ? '' : `/blogs/${encodeURIComponent(blog)}`}/${name}`;
    const body = JSON.stringify(call);
    return object.fetch(new Request(new URL(`/manage${path}`, request.url), { method: 'POST', body }));
  };
  /** Runs a command on every blog, because each has its rows in its own object. */
  async function runOnEach(call: CommandCall): Promise<unknown[]> {
    const ids = (await index.listBlogIds()).filter((id) => (call.actor.blogId ?? id) === id);
    const results: unknown[] = [];
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      const some = ids.slice(first, first + AT_ONCE).map(async (blog) => {
        const response = await send({ ...call, blog, args: {} });
        // A blog that was deleted in the meantime is left out.
        return response.ok ? [((await response.json()) as { readonly result: unknown }).result] : [];
      });
      results.push(...(await Promise.all(some)).flat());
    }
    return results;
  }
  return manage(request, {
    commands,
    findToken: async (token) => ((await sameText(token, ADMIN_TOKEN)) ? secret : index.findToken(token)),
    listBlogIds: () => index.listBlogIds(),
    run(call) {
      const name = commands[call.name]?.perBlog;
      return name === undefined ? send(call) : commandResponse(() => runOnEach({ ...call, name }));
    },
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
