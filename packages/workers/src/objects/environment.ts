import type { DurableStorage } from '@broadsheet/store/durable';
import type { VerbAnswer, VerbCall } from '../management/verbs.ts';

/** What a Durable Object is given. */
export interface ObjectContext {
  readonly storage: DurableStorage;
  /** Lets nothing else in until the work is done. */
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
}

/** An object as others call it. */
export interface RemoteObject {
  /** Answers a request to the API whose key was given to its blog, at some time. */
  fetch(request: Request): Promise<Response>;
  /** Runs a verb of its blog's store. */
  call(call: VerbCall): Promise<VerbAnswer>;
  /** The blog a key was given to, by the hash of the key. */
  findBlogId(hash: string): Promise<string | undefined>;
  addKeys(blogId: string, hashes: readonly string[]): Promise<void>;
  listBlogIds(): Promise<readonly string[]>;
  addBlog(blogId: string): Promise<void>;
  removeBlog(blogId: string): Promise<void>;
}

/** The objects of one class, each by its name. */
export interface ObjectNamespace {
  getByName(name: string): RemoteObject;
}

/** What a deployment is configured with: the bindings, variables and secrets of `wrangler.jsonc`. */
export interface Environment {
  readonly BLOGS: ObjectNamespace;
  /** Opens the doors of management; without it they do not exist. At least 32 characters. */
  readonly ADMIN_TOKEN?: string;
  /** Errors link to `{DOCS_URL}/errors/{code}`; the deployment's own address by default. */
  readonly DOCS_URL?: string;
}
