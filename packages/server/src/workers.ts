import worker, { BlogObject as Implementation } from '@broadsheet/workers';

/** What a deployment is configured with: the bindings, variables and secrets of `wrangler.jsonc`. */
export interface Environment {
  /** The Durable Objects of the class {@link BlogObject}. */
  readonly BLOGS: unknown;
  /** Opens the doors of management; without it they do not exist. At least 32 characters. */
  readonly ADMIN_TOKEN?: string;
  /** Errors link to `{DOCS_URL}/errors/{code}`; the deployment's own address by default. */
  readonly DOCS_URL?: string;
}

// Typed by hand, both: the declarations of the runtime are the choice of those who deploy.

/** What the runtime gives with each request; of it this is used. */
interface Context {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * A blog as a Durable Object; bind the class as `BLOGS`.
 *
 * @example
 * ```ts
 * export { BlogObject, default } from '@broadsheet/server/workers';
 * ```
 */
export const BlogObject: new (context: never, environment: never) => { fetch(request: Request): Promise<Response> } =
  Implementation;

/** The API as a Worker: leads each request to the object of the blog whose key it carries. */
const broadsheet: { fetch(request: Request, environment: Environment, context: Context): Promise<Response> } = worker;
export default broadsheet;
