import { blogObjectName, INDEX_NAME } from '../objects/directory.ts';
import type { Environment } from '../objects/environment.ts';

const PATH = /^\/manage(?:\/(?:([^/]+)\/)?(\w+))?$/;
/** The fewest characters of a token: a shorter one could be guessed. */
const MIN_TOKEN = 32;

/** Whether a request is for management and not for the API. */
export function isManagement(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname === '/manage' || pathname.startsWith('/manage/');
}

/**
 * `GET /manage` lists the ids of all blogs. `POST /manage/{blog}/{verb}` runs a verb of the blog's object with the JSON
 * array of its arguments, and `POST /manage/{verb}` a verb on the rows of the deployment itself. Without a token in the
 * deployment, each returns 404.
 */
export async function manage(request: Request, { BLOGS, ADMIN_TOKEN = '' }: Environment): Promise<Response> {
  if (ADMIN_TOKEN.length < MIN_TOKEN) return new Response('Not found\n', { status: 404 });
  const given = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  if (!(await sameText(given, ADMIN_TOKEN))) return refuse(401, 'The management token is missing or wrong.');
  const { pathname } = new URL(request.url);
  const [path, blog, verb] = PATH.exec(pathname) ?? [];
  if (path === undefined) return refuse(404, `There is nothing at ${pathname}.`);
  const allowed = verb === undefined ? 'GET' : 'POST';
  if (request.method !== allowed)
    return refuse(405, `${request.method} is not a method of ${pathname}; use ${allowed}.`);
  if (verb === undefined) return Response.json({ result: await BLOGS.getByName(INDEX_NAME).listBlogIds() });
  const name = blog === undefined ? INDEX_NAME : decoded(blog);
  if (name === undefined) return refuse(400, `${JSON.stringify(blog)} has a malformed escape in it.`);
  return BLOGS.getByName(name).fetch(request);
}

function decoded(blog: string): string | undefined {
  try {
    return blogObjectName(decodeURIComponent(blog));
  } catch {
    return undefined;
  }
}

/** Runs the verb that a request for management names. */
export async function runVerb(
  request: Request,
  run: (verb: string, args: readonly unknown[], blogId: string) => Promise<unknown>,
): Promise<Response> {
  const [, blog = '', verb = ''] = PATH.exec(new URL(request.url).pathname) ?? [];
  const args: unknown = await request.json().catch(() => undefined);
  if (!Array.isArray(args)) return refuse(400, 'The body is not a JSON array of arguments.');
  try {
    // JSON has no undefined.
    const given = args.map((argument) => argument ?? undefined);
    return Response.json({ result: await run(verb, given, decodeURIComponent(blog)) });
  } catch (error) {
    const { name, message, ...more } = error instanceof Error ? error : new Error(String(error));
    return Response.json({ error: { name, message, ...more } }, { status: 422 });
  }
}

function refuse(status: number, message: string): Response {
  return Response.json({ error: { name: 'Refused', message } }, { status });
}

/** Compares digests, so that the time taken reveals nothing about the text. */
async function sameText(a: string, b: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}
