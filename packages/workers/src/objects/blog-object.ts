// For projects that compile this file from elsewhere.
/// <reference path="./runtime.d.ts" />
import { DurableObject } from 'cloudflare:workers';
import { type BlogApi, type Clock, createAnswerCache, createApi, mediaResponse } from '@broadsheet/core';
import { keyedFingerprint, keyedHmac, systemRandom } from '@broadsheet/http/crypto';
import {
  answerVerb,
  createBlogVerbs,
  type Grant,
  isManagement,
  type LogEntry,
  readCall,
  type Verb,
  type Verbs,
} from '@broadsheet/management';
import { BlogExists, sha256Hex } from '@broadsheet/store';
import { isbot } from 'isbot';
import { type DurableStore, openDurableStore } from '../durable/open-durable-store.ts';
import { createAlarm } from './alarm.ts';
import { type Directory, INDEX_NAME, openDirectory } from './directory.ts';
import type { Environment, ObjectContext, RemoteObject } from './environment.ts';
import { giveImages, isMedia, requireSmallImage } from './images.ts';
import { giveKeys, keysOf, type ObjectCall, requireFreeKeys } from './keys.ts';

/** Bytes of cached responses in an object, which has 128 MiB of memory in total. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** The header in which the network passes the client's IP; it replaces a header of that name sent by the client. */
const ADDRESS = 'cf-connecting-ip';

/** Verbs that may add keys to the blog. */
const ADDS_KEYS: ReadonlySet<Verb> = new Set(['importParts', 'addKey', 'rotateKey', 'finishCopy', 'createBlog']);
/** Verbs that may create a blog. */
const BEGINS: ReadonlySet<Verb> = new Set(['createBlog', 'importParts']);
/** Verbs after which the blog must be opened again. */
const REPLACES: ReadonlySet<Verb> = new Set(['deleteBlog', 'clearForCopy', 'finishCopy']);

/** What an object uses once its schema is up to date. */
interface OpenBlog {
  readonly store: DurableStore;
  readonly verbs: Verbs;
  readonly api: (origin: string) => Promise<BlogApi>;
}

/**
 * A blog, with its rows in the object's own SQLite. Some objects of the class are the directory instead; see
 * `directory.ts`.
 */
export class BlogObject extends DurableObject<ObjectContext, Environment> implements RemoteObject {
  /** The clock, which tests replace. */
  protected readonly clock: Clock = Date;
  readonly #alarm = createAlarm(this.ctx.storage);
  #opening: Promise<OpenBlog> | undefined;
  #directory: Directory | undefined;

  async fetch(request: Request): Promise<Response> {
    if (isManagement(request)) {
      const { blogId = '', verb, args } = await readCall(request);
      return answerVerb(() => this.#run(blogId, { verb, args }));
    }
    const { api, store } = await this.#open();
    if (isMedia(request)) return (await mediaResponse(request, store)) ?? new Response(null, { status: 404 });
    const { fetch } = await api(new URL(request.url).origin);
    return fetch(request, { ip: request.headers.get(ADDRESS) ?? undefined });
  }

  /** Publishes due posts, sends webhooks, and removes events that are too old to matter. */
  async alarm(): Promise<void> {
    const { store } = await this.#open();
    await this.#alarm.ring(store, this.clock.now());
  }

  async hasKey(hash: string): Promise<boolean> {
    await this.#open();
    return this.ctx.storage.sql.exec('select 1 from api_keys where key_hash = ?', hash).toArray().length > 0;
  }
  async signingSecret(): Promise<string> {
    return (await this.#open()).store.signingSecret();
  }
  async findBlogId(hash: string): Promise<string | undefined> {
    return this.#directoryHere().blogOf(hash);
  }
  async addKeys(blogId: string, hashes: readonly string[]): Promise<void> {
    this.#directoryHere().addKeys(blogId, hashes);
  }
  async findImageBlogs(hash: string): Promise<readonly string[]> {
    return this.#directoryHere().blogsOfImage(hash);
  }
  async addImages(blogId: string, hashes: readonly string[]): Promise<void> {
    this.#directoryHere().addImages(blogId, hashes);
  }
  async listBlogIds(): Promise<readonly string[]> {
    const { store } = await this.#open();
    return (await store.listBlogs()).map(({ id }) => id);
  }
  async hasBlog(blogId: string): Promise<boolean> {
    return (await (await this.#open()).store.listBlogs(blogId)).length > 0;
  }
  async addBlog(blogId: string): Promise<void> {
    const { store } = await this.#open();
    await store.createBlog({ id: blogId, name: blogId, domains: [] }).catch((error: unknown) => {
      if (!(error instanceof BlogExists)) throw error;
    });
  }
  /** Also removes the tokens of the blog, and the people who see only it. */
  async removeBlog(blogId: string): Promise<void> {
    await (await this.#open()).store.deleteBlog(blogId);
  }
  async findToken(token: string): Promise<Grant | undefined> {
    return (await this.#open()).store.findToken(token, this.clock.now());
  }
  async writeLog(entry: LogEntry): Promise<void> {
    await (await this.#open()).store.writeLog(entry);
  }

  async #run(blogId: string, call: ObjectCall): Promise<unknown> {
    const { verbs, store } = await this.#open();
    const { verb, args } = call;
    const given = await Promise.all((await keysOf(store, blogId, call)).map(sha256Hex));
    await requireFreeKeys(this.env, blogId, given);
    if (BEGINS.has(verb) || verb === 'listBlogs') await this.#repair(store, verb, blogId);
    // The client has the same verbs, and their arguments are JSON.
    const run = verbs[verb] as (blogId: string, ...args: readonly unknown[]) => Promise<unknown>;
    const result = await run(blogId, ...args);
    if (ADDS_KEYS.has(verb)) await giveKeys(this.env, this.ctx.storage);
    if (verb === 'addImage' || verb === 'finishCopy') {
      await giveImages(this.env, this.ctx.storage, { blogId, onlyNewest: verb === 'addImage' });
    }
    await this.#alarm.setForWork();
    if (verb === 'deleteBlog') {
      await this.env.BLOGS.getByName(INDEX_NAME).removeBlog(blogId);
      // A later blog with this id takes the secret of the deployment, which a copy may have changed.
      this.ctx.storage.sql.exec('delete from secrets');
    }
    // The open blog has the old secret and rows in memory.
    if (REPLACES.has(verb)) this.#opening = undefined;
    return result;
  }

  /** Completes a change that reached only one of two objects: the rows of a blog and its entry in the index. */
  async #repair(store: DurableStore, verb: Verb, blogId: string): Promise<void> {
    const index = this.env.BLOGS.getByName(INDEX_NAME);
    const isListed = await index.hasBlog(blogId);
    const exists = (await store.listBlogs()).length > 0;
    // The blog was deleted, but not the rights of people to it.
    if (isListed && !exists) await index.removeBlog(blogId);
    if (isListed || !exists || !BEGINS.has(verb)) return;
    // A copy into this object failed before its last step.
    await store.copy.clearForCopy(blogId);
    this.#opening = undefined;
  }

  #directoryHere(): Directory {
    this.#directory ??= openDirectory(this.ctx.storage);
    return this.#directory;
  }

  #open(): Promise<OpenBlog> {
    this.#opening ??= this.ctx.blockConcurrencyWhile(() => this.#openBlog());
    return this.#opening;
  }

  async #openBlog(): Promise<OpenBlog> {
    const { storage } = this.ctx;
    const store = await openDurableStore(storage, () => void this.#alarm.setForEvents());
    let api: Promise<BlogApi> | undefined;
    return {
      store,
      verbs: {
        ...createVerbs(store),
        createPreviewToken: async (...post) => {
          // The store must sign with the secret of the deployment, as the API does.
          await this.#secret();
          return store.createPreviewToken(...post);
        },
      },
      api: (origin) => (api ??= this.#openApi(store, origin)),
    };
  }

  async #openApi(store: DurableStore, origin: string): Promise<BlogApi> {
    const secret = await this.#secret();
    return createApi({
      store,
      clock: this.clock,
      random: systemRandom,
      hmac: keyedHmac(secret),
      fingerprint: keyedFingerprint(secret),
      docsUrl: (this.env.DOCS_URL ?? origin).replace(/\/+$/, ''),
      isBot: isbot,
      cache: createAnswerCache(CACHE_BYTES),
    });
  }

  /** All blogs of a deployment share one secret, like those of a database. */
  async #secret(): Promise<string> {
    const { sql } = this.ctx.storage;
    const own = () => sql.exec("select value from secrets where name = 'signing'").toArray()[0]?.['value'];
    if (own() === undefined) {
      const shared = await this.env.BLOGS.getByName(INDEX_NAME).signingSecret();
      sql.exec("insert or ignore into secrets (name, value) values ('signing', ?)", shared);
    }
    return String(own());
  }
}

/** The verbs of an object: those of its store, the steps of a copy, and the tokens of the deployment. */
function createVerbs(store: DurableStore): Verbs {
  const blogVerbs = createBlogVerbs(store);
  return {
    ...blogVerbs,
    addImage: async (blogId, base64) => {
      requireSmallImage(Math.floor((base64.replace(/=+$/, '').length / 4) * 3));
      await blogVerbs.addImage(blogId, base64);
    },
    ...store.copy,
    listTokens: () => store.listTokens(),
    createToken: (_, ...record) => store.createToken(...record),
    revokeToken: (_, name) => store.revokeToken(name),
  };
}
