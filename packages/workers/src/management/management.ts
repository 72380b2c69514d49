import { blogObjectName, INDEX_NAME } from '../objects/directory.ts';
import type { Environment } from '../objects/environment.ts';

const PATH = /^\/manage(?:\/([^/]+)\/(\w+))?$/;
/** A shorter token could be guessed. */
const MIN_TOKEN = 32;

/** Whether a request is for management and not for the API. */
export const isManagement = (request: Request): boolean => new URL(request.url).pathname.startsWith('/manage');

/**
 * The doors of management: `GET /manage` lists the ids of all blogs, `POST /manage/{blog}/{verb}` runs a verb of the
 * blog's store over the JSON array of its arguments. Without a token in the deployment they are 404.
 */
export async function manage(request: Request, { BLOGS, ADMIN_TOKEN = '' }: Environment): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  const match = PATH.exec(pathname);
  if (ADMIN_TOKEN.length < MIN_TOKEN || !match) return refuse(404, 'There is nothing here.');
  const given = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  if (!(await sameText(given, ADMIN_TOKEN))) return refuse(401, 'The token of management is missing or wrong.');
  const [, blog, verb] = match;
  if (blog === undefined || verb === undefined) {
    return Response.json({ result: await BLOGS.getByName(INDEX_NAME).listBlogIds() });
  }
  if (request.method !== 'POST') return refuse(405, `${request.method} is not a method of ${pathname}; use POST.`);
  const args: unknown = await request.json().catch(() => undefined);
  if (!Array.isArray(args)) return refuse(400, 'The body is not a JSON array of arguments.');
  try {
    const answer = await BLOGS.getByName(blogObjectName(decodeURIComponent(blog))).call({ verb, args, origin });
    return 'refused' in answer ? refuse(404, answer.refused) : Response.json(answer);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return Response.json({ error: { name, message } }, { status: 422 });
  }
}

function refuse(status: number, message: string): Response {
  return Response.json({ error: { name: 'Refused', message } }, { status });
}

/** Compares by digests, so that the time it takes says nothing about the text. */
async function sameText(a: string, b: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}
