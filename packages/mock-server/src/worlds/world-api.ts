import type { EndpointId } from '@broadsheet/contract';
import {
  type ApiCall,
  type Around,
  assembleApi,
  type BlogApi,
  buffered,
  type Caller,
  type CallResponse,
  createMemoryContent,
  type Signing,
} from '@broadsheet/core';
import { resumeRandom } from '../data/random.ts';
import { type BodyStream, callerOf, requestOf, type WorldRequest, type WorldResponse } from '../doors/response.ts';
import { broken, type OpenEntry, pending } from '../journal/journal.ts';
import { addTokens } from '../journal/tokens.ts';
import type { Lens, Point } from '../lenses/lens.ts';
import type { SigningPorts } from './signing.ts';
import type { WorldContext } from './world-context.ts';

/** The API of a world, and the same API over a copy of its store. */
export interface WorldApi {
  respond(request: WorldRequest, caller?: Caller): Promise<WorldResponse>;
  preview(id: string): Promise<string>;
  /** Responds as the API would now, without any effect. */
  rehearsal(): BlogApi;
}

/** Creates the API of a world. It is created on the first request, because many worlds never get one. */
export function createWorldApi(context: WorldContext): WorldApi {
  const { mock, name, clock, random, content, journal, end } = context;
  const settings = { docsUrl: mock.docsUrl, basePath: mock.basePath };
  const secret = `mock secret of ${name}`;
  const rehearsal = () => {
    const ports = { store: createMemoryContent(), clock, random: resumeRandom(random.save()), secret };
    ports.store.restore(content.store.snapshot());
    return assembleApi({ ...ports, ...settings }, (findBlog) => lazySigning({ ...ports, findBlog }));
  };
  const open = () => {
    const around = [journal.around, gated(context), applyFaults(context, rehearsal), lensed(context), issuing(context)];
    const ports = { store: content.store, clock, random, secret };
    return assembleApi<BodyStream>({ ...ports, ...settings, cache: mock.cache, around }, (findBlog) =>
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
      // Requests that carry only the token must find this world.
      mock.route(token, context);
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
    if (call.impressions > 0) addTokens(tokens, buffered(response));
    return response;
  };
}

/** The signals that end a request: its caller gives up, or its world is reset. */
const signalsOf = ({ end }: WorldContext, call: ApiCall) => [requestOf(call).signal, end.signal];

/** Holds calls at the gates of the world. */
function gated(context: WorldContext): Around<BodyStream> {
  return (call, next) => {
    const held = call.endpoint && context.gates.pass(call.endpoint, signalsOf(context, call));
    return held ? held.then(next) : next();
  };
}

/** Applies to each call the delay of its endpoint and the fault that matches it. */
function applyFaults(context: WorldContext, rehearsal: () => BlogApi): Around<BodyStream> {
  const { faults } = context;
  return (call, next) => {
    const entry = pending.get(call);
    return entry && faults.length > 0 ? apply(entry, call, next) : next();
  };

  async function apply(entry: OpenEntry, call: ApiCall, respond: () => Promise<CallResponse<BodyStream>>) {
    // Loaded only once a fault is set: a page should not load code that it does not use.
    const { applyFault } = await import('../faults/apply-fault.ts');
    const rehearse = async () => buffered(await rehearsal().repeat(call));
    return applyFault({ context, entry, signals: signalsOf(context, call), respond, rehearse });
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
    const { throughLens } = await import('../lenses/change-response.ts');
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
