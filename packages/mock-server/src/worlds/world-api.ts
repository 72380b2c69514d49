import type { EndpointId } from '@broadsheet/contract';
import {
  type ApiCall,
  ApiError,
  type Around,
  assembleApi,
  type BlogApi,
  buffered,
  type Caller,
  createMemoryContent,
  type Signing,
} from '@broadsheet/core';
import { resumeRandom } from '../data/random.ts';
import { type BodyStream, callerOf, type WorldRequest, type WorldResponse } from '../doors/response.ts';
import { broken, type OpenEntry } from '../journal/journal.ts';
import { journalled } from '../journal/journalled.ts';
import type { Lens, Point } from '../lenses/lens.ts';
import type { SigningPorts } from './signing.ts';
import { signalsOf, type WorldContext } from './world-context.ts';

/** The API of a world, and the same API over a copy of its store. */
export interface WorldApi {
  respond(request: WorldRequest, caller?: Caller): Promise<WorldResponse>;
  preview(id: string): Promise<string>;
  /** Responds as the API would now, without any effect. */
  rehearsal(): BlogApi;
}

/** Creates the API of a world. It is opened on the first request, since many worlds never get one. */
export function createWorldApi(context: WorldContext): WorldApi {
  const { mock, name, clock, random, content, end } = context;
  const { docsUrl, basePath, cache } = mock;
  const secret = `mock secret of ${name}`;
  const rehearsal = () => {
    const ports = { store: createMemoryContent(), clock, random: resumeRandom(random.save()), secret };
    ports.store.restore(content.store.snapshot());
    return assembleApi({ ...ports, docsUrl, basePath }, (findBlog) => lazySigning({ ...ports, findBlog }));
  };
  const open = () => {
    const layers = [
      journalled(context),
      gated(context),
      applyFaults(context, rehearsal),
      lensed(context),
      issuing(context),
    ];
    const ports = { store: content.store, clock, random, secret };
    return assembleApi<BodyStream>({ ...ports, docsUrl, basePath, cache, around: layers }, (findBlog) =>
      lazySigning({ ...ports, findBlog }),
    );
  };
  let api: BlogApi<BodyStream> | undefined;
  return {
    rehearsal,
    async preview(id) {
      const { blog, store } = content;
      if (!store.previewPost(blog.id, id)) throw new Error(`world.preview: there is no post ${JSON.stringify(id)}`);
      const { previewToken } = await import('./signing.ts');
      const token = await previewToken(secret, { sub: id, blog: blog.id }, clock.now());
      // A request that carries only the token must find this world.
      mock.claim('preview', context, [token]);
      return token;
    },
    async respond(given, caller = {}) {
      api ??= open();
      const request = changesAnswers(context) ? unconditional(given) : given;
      const response = buffered(await api.handle(request, callerOf(request, context.visitor, caller)));
      for (const signal of [request.signal, end.signal]) signal.throwIfAborted();
      if (broken.has(request)) throw broken.get(request);
      return response;
    },
  };
}

/** The signing parts of an API, which are loaded with the first request that needs them: most tests show no ads. */
function lazySigning(ports: SigningPorts): Signing {
  let opened: Promise<Signing> | undefined;
  const open = () => {
    opened ??= import('./signing.ts').then(({ createWorldSigning }) => createWorldSigning(ports));
    return opened;
  };
  return {
    operations: {
      'ads.deliver': async (input) => (await open()).operations['ads.deliver'](input),
      'ads.deliverBatch': async (input) => (await open()).operations['ads.deliverBatch'](input),
      'ads.click': async (input) => (await open()).operations['ads.click'](input),
      'ads.impression': async (input) => (await open()).operations['ads.impression'](input),
    },
    countViewable: async (request) => (await open()).countViewable(request),
    findPreview: async (request) => (await open()).findPreview(request),
  };
}

/** Remembers the tokens of deliveries. */
function issuing({ tokens }: WorldContext): Around<BodyStream> {
  return async (call, next) => {
    const response = await next();
    if (call.impressions > 0) tokens.add(buffered(response));
    return response;
  };
}

/** Holds calls at the gates of the world. */
function gated(context: WorldContext): Around<BodyStream> {
  return (call, next) => {
    const held = call.endpoint && context.gates.pass(call.endpoint, signalsOf(context, call));
    return held ? held.then(next) : next();
  };
}

/** Applies to each call the delay of its endpoint and the fault that matches it. */
function applyFaults(context: WorldContext, rehearsal: () => BlogApi): Around<BodyStream> {
  const { faults, journal } = context;
  return (call, next) => {
    const entry = journal.entryOf(call);
    return entry && faults.length > 0 ? apply(entry, call, next) : next();
  };

  async function apply(entry: OpenEntry, call: ApiCall, next: Parameters<Around<BodyStream>>[1]) {
    const signals = signalsOf(context, call);
    // Loaded only once a fault is set: a page should not load code that it does not use.
    const { alter, chooseFault, detailsOf } = await import('../faults/choose-fault.ts');
    const { effect, after } = (await chooseFault(context, entry, signals)) ?? { effect: {} };
    const { code, transport, answer } = effect;
    entry.fault = code ?? transport ?? (answer && 'answer');
    const done = after ? await next() : undefined;
    if (code) throw new ApiError(code, detailsOf(effect));
    if (!transport && !answer) return done ?? next();
    const sent = async () => buffered(done ?? (await (transport ? rehearsal().repeat(call) : next())));
    return alter(effect, sent, { context, entry, signals });
  }
}

/** Applies the lens of the endpoint to the response, if there is one. */
function lensed({ lenses }: WorldContext): Around<BodyStream> {
  return ({ endpoint }, next) => {
    const lens = endpoint && (lenses.get(endpoint) ?? lenses.get('*'));
    return lens ? change(lens, endpoint, next) : next();
  };

  async function change(lens: Lens | Point, endpoint: EndpointId, next: Parameters<Around<BodyStream>>[1]) {
    const response = buffered(await next());
    // Most tests use no lens, and pages should not load code that they do not use.
    const { throughLens } = await import('../lenses/late.ts');
    return throughLens(lens, endpoint, response);
  }
}

const changesAnswers = ({ lenses, faults }: WorldContext): boolean =>
  lenses.size > 0 || faults.some(({ by }) => by === 'answer');

/** Removes `If-None-Match` from requests for changed responses: a 304 would leave the caller with the original. */
const unconditional = (request: WorldRequest): WorldRequest => ({
  ...request,
  header: (name) => (name === 'if-none-match' ? null : request.header(name)),
});
