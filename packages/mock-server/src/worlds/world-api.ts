import {
  type ApiStore,
  type Around,
  type BlogApi,
  buffered,
  type Caller,
  createApi,
  createMemoryContent,
  type Hmac,
  type MemoryContent,
} from '@broadsheet/core';
import { createRandom, hash } from '../data/random.ts';
import { type BodyStream, requestOf, type WorldAnswer, type WorldRequest } from '../doors/answer.ts';
import { applyFaults } from '../faults/apply-fault.ts';
import { broken } from '../journal/journal.ts';
import { journalled } from '../journal/journalled.ts';
import type { World } from './world.ts';
import type { WorldContext } from './world-context.ts';

/** The API of a world, and the same API over a copy of its store. */
export interface WorldApi {
  respond(request: WorldRequest, caller?: Caller): Promise<WorldAnswer>;
  preview(id: string): Promise<string>;
  /** Responds as the API would now, without any effect. */
  rehearsal(): BlogApi;
}

/** A world as the mock itself uses it. */
export interface InnerWorld extends World, WorldApi {
  readonly context: WorldContext;
  /** Releases every pending response, since nothing else would. @returns the pending responses and gates */
  close(): string[];
}

/** Creates the API of a world. It is opened on the first request, since many worlds never get one. */
export function createWorldApi(context: WorldContext): WorldApi {
  const { mock, clock, random, content, gates } = context;
  const { docsUrl, basePath } = mock;
  let signer: Promise<Hmac> | undefined;
  // Loaded for the first token, since most tests need none.
  const hmac: Hmac = async (text) => {
    signer ??= import('../data/ads.ts').then(({ createHmac }) => createHmac(`mock secret of ${context.name}`));
    return (await signer)(text);
  };
  const ports = { clock, docsUrl, basePath, hmac };
  const rehearsal = () => {
    const store = createMemoryContent();
    store.restore(content.store.snapshot());
    const copy = createRandom(0);
    copy.load(random.save());
    return createApi({ ...ports, random: copy, store: withAds(store) });
  };
  const gated: Around<BodyStream> = async (call, next) => {
    if (call.endpoint) await gates.pass(call.endpoint, requestOf(call).signal);
    return next();
  };
  const open = () => {
    const around = [journalled(context), gated, applyFaults(context, rehearsal), lensed(context), context.tokens.watch];
    const store = { ...withAds(content.store), findBlog: markedFindBlog(context) };
    return createApi<BodyStream>({ ...ports, random, around, cache: mock.cache, store });
  };
  let api: BlogApi<BodyStream> | undefined;
  return {
    rehearsal,
    async preview(id) {
      const { blog, store } = content;
      if (!store.previewPost(blog.id, id)) throw new Error(`world.preview: there is no post ${JSON.stringify(id)}`);
      const { signPreview } = await import('../data/ads.ts');
      const token = await signPreview(hmac, { sub: id, blog: blog.id }, clock.now());
      // A request that carries only the token must find this world.
      mock.adopt(token, context.name);
      return token;
    },
    async respond(given, caller = {}) {
      api ??= open();
      const request = changesAnswers(context) ? unconditional(given) : given;
      const forwarded = request.header('x-forwarded-for')?.split(',').at(-1)?.trim();
      const { ip, origin } = context.visitor;
      const answer = await api.answer(request, { ip: forwarded || caller.ip || ip, origin: origin ?? caller.origin });
      request.signal.throwIfAborted();
      if (broken.has(request)) throw broken.get(request);
      return answer;
    },
  };
}

/** Adds the counting of ads to a store; it is loaded with the first delivery. */
function withAds(content: MemoryContent): ApiStore {
  const events = async () => (await import('../data/ads.ts')).createAdEvents(content);
  return {
    ...content,
    deliver: async (...delivery) => (await events()).deliver(...delivery),
    recordClick: async (...click) => (await events()).recordClick(...click),
    recordViewable: async (...impressions) => (await events()).recordViewable(...impressions),
  };
}

/** Applies the lens of the endpoint to the response, if there is one. */
function lensed({ lenses }: WorldContext): Around<BodyStream> {
  return async ({ endpoint }, next) => {
    const lens = endpoint && (lenses.get(endpoint) ?? lenses.get('*'));
    if (!lens) return next();
    const answer = buffered(await next());
    // Most tests use no lens, and pages should not load code that they do not use.
    const { throughLens } = await import('../lenses/late.ts');
    return throughLens(lens, endpoint, answer);
  };
}

const changesAnswers = ({ lenses, faults }: WorldContext): boolean =>
  lenses.size > 0 || faults.rules.some(({ by }) => by === 'answer');

/** Removes `If-None-Match` from requests for changed responses: a 304 would leave the caller with the original. */
const unconditional = (request: WorldRequest): WorldRequest => ({
  ...request,
  header: (name) => (name === 'if-none-match' ? null : request.header(name)),
});

let worlds = 0;

/**
 * Each world counts its revisions from one. A mark separates its ETags and cached responses from those of other worlds,
 * including an earlier world of the same name.
 */
function markedFindBlog({ name, content: { store } }: WorldContext): typeof store.findBlog {
  worlds += 1;
  const mark = `${hash(name).toString(36)}-${worlds}`;
  return (key) => {
    const found = store.findBlog(key);
    return found && { ...found, revision: `${mark}-${found.revision}` };
  };
}
