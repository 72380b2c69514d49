import worker, { BlogObject as Implementation } from '@broadsheet/workers';

/** The configuration of a deployment: the bindings, variables and secrets of `wrangler.jsonc`. */
export interface Environment {
  /** The Durable Objects of the class {@link BlogObject}. */
  readonly BLOGS: unknown;
  /** Enables `/manage`, which does not exist without it. At least 32 characters. */
  readonly ADMIN_TOKEN?: string;
  /** Errors link to `{DOCS_URL}/errors/{code}`; the deployment's own URL by default. */
  readonly DOCS_URL?: string;
}

// Both exports are typed manually, so that a deployment can choose its own type declarations of the runtime.

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

/** The API as a Worker, which sends each request to the object of the blog that its key opens. */
const broadsheet: { fetch(request: Request, environment: Environment, context?: unknown): Promise<Response> } = worker;
export default broadsheet;
