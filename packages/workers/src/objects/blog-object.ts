import { DurableObject } from 'cloudflare:workers';
import { type BlogApi, type Clock, createAnswerCache, createApi } from '@broadsheet/core';
import { keyedFingerprint, keyedHmac, systemRandom } from '@broadsheet/http/crypto';
import type { ServerStore } from '@broadsheet/store';
import { openDurableStore } from '@broadsheet/store/durable';
import { isVerb, type VerbAnswer, type VerbCall, WRITING } from '../management/verbs.ts';
import { type Directory, directoryName, INDEX_NAME, openDirectory } from './directory.ts';
import type { Environment, ObjectContext, RemoteObject } from './environment.ts';

/** Encoded answers that an object has ready, in bytes: it has 128 MiB for everything. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** The header by which the network says whose request it is: it replaces whatever a client sent under the name. */
const ADDRESS = 'cf-connecting-ip';

/**
 * A blog: its rows in the object's own SQLite, its requests one after the other. Some objects of the class lead to blogs
 * instead; see `directory.ts`.
 */
export class BlogObject extends DurableObject<ObjectContext, Environment> implements RemoteObject {
  /** The time; tests move it. */
  protected readonly clock: Clock = Date;
  #opening: Promise<{ readonly store: ServerStore; readonly api: BlogApi }> | undefined;
  #directory: Directory | undefined;

  async fetch(request: Request): Promise<Response> {
    const { api } = await this.#open(new URL(request.url).origin);
    return api.fetch(request, { ip: request.headers.get(ADDRESS) ?? undefined });
  }

  async call({ verb, args, origin }: VerbCall): Promise<VerbAnswer> {
    const { store } = await this.#open(origin);
    if (!isVerb(verb)) return { refused: `There is no verb ${verb}.` };
    const result = await (store[verb] as (...all: unknown[]) => unknown).apply(store, [...args]);
    if (WRITING.has(verb)) await this.#announce(store);
    if (verb === 'deleteBlog') await this.env.BLOGS.getByName(INDEX_NAME).removeBlog(String(args[0]));
    return { result };
  }

  async findBlogId(hash: string): Promise<string | undefined> {
    return this.#directoryHere().blogOf(hash);
  }
  async addKeys(blogId: string, hashes: readonly string[]): Promise<void> {
    this.#directoryHere().addKeys(blogId, hashes);
  }
  async listBlogIds(): Promise<readonly string[]> {
    return this.#directoryHere().listBlogs();
  }
  async addBlog(blogId: string): Promise<void> {
    this.#directoryHere().addBlog(blogId);
  }
  async removeBlog(blogId: string): Promise<void> {
    this.#directoryHere().removeBlog(blogId);
  }

  #directoryHere(): Directory {
    this.#directory ??= openDirectory(this.ctx.storage);
    return this.#directory;
  }

  #open(origin: string) {
    this.#opening ??= this.ctx.blockConcurrencyWhile(() => openBlog(this.ctx, this.env, origin, this.clock));
    return this.#opening;
  }

  /** Makes requests with the keys of the blog find their way here. */
  async #announce(store: ServerStore): Promise<void> {
    const blogs = await store.listBlogs();
    for (const { id } of blogs) {
      const rows = this.ctx.storage.sql.exec('select key_hash from api_keys where blog_id = ?', id).toArray();
      const shards = Map.groupBy(
        rows.map((row) => String(row['key_hash'])),
        directoryName,
      );
      for (const [name, hashes] of shards) await this.env.BLOGS.getByName(name).addKeys(id, hashes);
      await this.env.BLOGS.getByName(INDEX_NAME).addBlog(id);
    }
  }
}

async function openBlog({ storage }: ObjectContext, { DOCS_URL }: Environment, origin: string, clock: Clock) {
  const store = await openDurableStore(storage);
  const secret = await store.signingSecret();
  const api = createApi({
    store,
    clock,
    random: systemRandom,
    hmac: keyedHmac(secret),
    fingerprint: keyedFingerprint(secret),
    docsUrl: (DOCS_URL ?? origin).replace(/\/+$/, ''),
    cache: createAnswerCache(CACHE_BYTES),
  });
  return { store, api };
}
