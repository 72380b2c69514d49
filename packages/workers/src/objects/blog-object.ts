// For projects that compile this file from elsewhere.
/// <reference path="./runtime.d.ts" />
import { DurableObject } from 'cloudflare:workers';
import { withoutTrailingSlashes } from '@broadsheet/contract';
import { type BlogApi, type Clock, createApi, createResponseCache, mediaResponse } from '@broadsheet/core';
import { keyedFingerprint, keyedHmac, systemRandom } from '@broadsheet/http/crypto';
import {
  type Actor,
  type Command,
  type CommandCall,
  type CommandTable,
  canTouch,
  commandResponse,
  isManagement,
  readPath,
  runCommand,
} from '@broadsheet/management';
import type { LogEntry } from '@broadsheet/store';
import { BlogExists } from '@broadsheet/store';
import { isbot } from 'isbot';
import { type DurableStore, openDurableStore } from '../durable/open-durable-store.ts';
import { DEPLOYMENT_COMMANDS } from '../management/commands.ts';
import { createAlarm } from './alarm.ts';
import { type Directory, INDEX_NAME, openDirectory } from './directory.ts';
import type { Environment, ObjectContext, RemoteObject } from './environment.ts';
import { giveImages, imagesIn, isMedia, watchImages } from './images.ts';
import { giveKeys, requireFreeKeys } from './keys.ts';

/** Bytes of cached responses in an object, which has 128 MiB of memory in total. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** The header in which the network passes the client's IP; it replaces a header of that name sent by the client. */
const ADDRESS = 'cf-connecting-ip';

/** The parts of an object once its schema is up to date. */
interface OpenBlog {
  readonly store: DurableStore;
  readonly api: (origin: string) => Promise<BlogApi>;
}

/**
 * A blog, with its rows in the object's own SQLite. Some objects of the class are the directory instead; see
 * `directory.ts`.
 */
export class BlogObject extends DurableObject<ObjectContext, Environment> implements RemoteObject {
  /** The clock, which tests replace. */
  protected readonly clock: Clock = Date;
  /** The commands of management; tests add others. */
  protected readonly commands: CommandTable = DEPLOYMENT_COMMANDS;
  readonly #alarm = createAlarm(this.ctx.storage);
  #opening: Promise<OpenBlog> | undefined;
  #directory: Directory | undefined;

  async fetch(request: Request): Promise<Response> {
    if (isManagement(request)) {
      const { name, blog, row } = readPath(new URL(request.url).pathname, this.commands);
      const { args, actor, once } = (await request.json()) as Pick<CommandCall, 'args' | 'actor' | 'once'>;
      return commandResponse(() => this.#run({ name, blog, args, actor, once }, row));
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
  async findToken(token: string): Promise<Actor | undefined> {
    return (await this.#open()).store.findToken(token, this.clock.now());
  }
  async writeLog(entry: LogEntry): Promise<void> {
    await (await this.#open()).store.writeLog(entry);
  }

  async #run(call: CommandCall, row: Command): Promise<unknown> {
    const { blog } = call;
    if (blog !== '') await this.#repair(row, blog);
    const { store } = await this.#open();
    // Previews are signed with the secret of the deployment, as by the API.
    if (blog !== '' && canTouch(row, 'previews')) await this.#secret();
    const existed = await store.hasBlog(blog);
    const added: string[] = [];
    const host = {
      ...{ now: this.clock.now(), commands: this.commands, hasPages: false },
      store: watchImages(store, (hash) => added.push(hash)),
      requireFreeKeys: (apiKeys: readonly string[]) => requireFreeKeys(this.env, blog, apiKeys),
    };
    const result = await runCommand(host, call);
    if (canTouch(row, 'keys')) await giveKeys(this.env, this.ctx.storage);
    // A command that replaces the secret replaces all rows.
    const isReplaced = canTouch(row, 'secret');
    await giveImages(this.env, blog, isReplaced && blog !== '' ? imagesIn(this.ctx.storage) : added);
    await this.#alarm.setForWork();
    const isDeleted = existed && canTouch(row, 'blog') && !(await store.hasBlog(blog));
    if (isDeleted) await this.#forgetBlog(store, blog);
    // The open blog has the old secret and rows in memory.
    if (isReplaced || isDeleted) this.#opening = undefined;
    return result;
  }

  /** Removes a deleted blog from the deployment, which keeps the log of what was done with it. */
  async #forgetBlog(store: DurableStore, blogId: string): Promise<void> {
    const index = this.env.BLOGS.getByName(INDEX_NAME);
    await index.removeBlog(blogId);
    const { entries } = await store.readLog({ oldestFirst: true, offset: 0, limit: 100_000 });
    for (const entry of entries) await index.writeLog(entry);
    this.ctx.storage.sql.exec('delete from panel_log');
    // A later blog with this id takes the secret of the deployment, which a copy may have changed.
    this.ctx.storage.sql.exec('delete from secrets');
  }

  /** Completes a change that reached only one of two objects: the rows of a blog and its entry in the index. */
  async #repair({ on = 'blog', effect }: Command, blogId: string): Promise<void> {
    const { store } = await this.#open();
    const mayBegin = effect === 'write' && (on === 'new blog' || on === 'any blog');
    const exists = await store.hasBlog(blogId);
    if (exists && !mayBegin) return;
    const index = this.env.BLOGS.getByName(INDEX_NAME);
    const isListed = await index.hasBlog(blogId);
    // The blog was deleted, but not the rights of people to it.
    if (isListed && !exists) await index.removeBlog(blogId);
    if (isListed || !exists) return;
    // A copy into this object failed before its last step.
    await store.copy.clear();
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
      docsUrl: withoutTrailingSlashes(this.env.DOCS_URL ?? origin),
      isBot: isbot,
      cache: createResponseCache(CACHE_BYTES),
    });
  }

  /** All blogs of a deployment share one secret, like the blogs of a database. */
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
