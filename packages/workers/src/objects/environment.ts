import type { Actor } from '@broadsheet/management';
import type { LogEntry } from '@broadsheet/store';
import type { DurableStorage } from '../durable/driver.ts';

/** The context that the runtime passes to a Durable Object. */
export interface ObjectContext {
  readonly storage: DurableStorage;
  /** Delivers no other event to the object until the work is done. */
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
}

/** The methods of an object that the Worker and other objects call. */
export interface RemoteObject {
  /** Handles a request to the API or to management. */
  fetch(request: Request): Promise<Response>;
  /** Whether a key belongs to its blog, even if it has been revoked, by the hash of the key. */
  hasKey(hash: string): Promise<boolean>;

  /** The blog to which a key was given, by the hash of the key. */
  findBlogId(hash: string): Promise<string | undefined>;
  addKeys(blogId: string, hashes: readonly string[]): Promise<void>;
  /** The blogs that have stored an image, by its hash. */
  findImageBlogs(hash: string): Promise<readonly string[]>;
  addImages(blogId: string, hashes: readonly string[]): Promise<void>;
  listBlogIds(): Promise<readonly string[]>;
  hasBlog(blogId: string): Promise<boolean>;
  addBlog(blogId: string): Promise<void>;
  removeBlog(blogId: string): Promise<void>;
  /** The rights of a token of the deployment, if it is valid now. */
  findToken(token: string): Promise<Actor | undefined>;
  writeLog(entry: LogEntry): Promise<void>;
  /** The secret that signs click tokens in all blogs of the deployment. */
  signingSecret(): Promise<string>;
}

/** The objects of one class, each by its name. */
export interface ObjectNamespace {
  getByName(name: string): RemoteObject;
}

/** The configuration of a deployment: the bindings, variables and secrets of `wrangler.jsonc`. */
export interface Environment {
  readonly BLOGS: ObjectNamespace;
  /** Enables `/manage`, which does not exist without it. At least 32 characters. */
  readonly ADMIN_TOKEN?: string;
  /** Errors link to `{DOCS_URL}/errors/{code}`; the deployment's own URL by default. */
  readonly DOCS_URL?: string;
}
