import {
  type Capability,
  type ConformanceResult,
  casesFor,
  runConformance,
  type Target,
  Unchecked,
} from '@broadsheet/conformance';
import { ENDPOINTS, type Endpoint, type EndpointId, findRoute } from '@broadsheet/contract';
import { ErrorEnvelope, MESSAGES, type Message, validate } from '@broadsheet/contract/schemas';
import { createMock } from '../node.ts';
import { type LiveApi, requestLive } from './live-api.ts';

/** The options of the comparison with the mock. */
export interface ParityOptions extends Omit<LiveApi, 'fetch'> {
  /** Also runs the cases that record impressions and clicks. */
  readonly clicks: boolean;
  /** The origin of a page on one of the blog's domains; by default, one is taken from the blog's content. */
  readonly origin?: string;
  /** Checks only what the API document states. */
  readonly apiMdOnly?: boolean;
  /** Ignores fields that the document does not have. */
  readonly allowExtraFields?: boolean;
  /** Promises that the live API is known to break: they are listed, but do not count as differences. */
  readonly known?: readonly KnownDeviation[];
  readonly write: (line: string) => void;
}

/** The result of one promise on one side. */
export type Outcome = 'ok' | 'fails' | 'known' | 'unchecked';

/** One promise of the API document, on both sides. */
export interface ComparedPromise {
  /** Section of the API document; `decided` for what the document leaves open. */
  readonly section: string;
  readonly name: string;
  readonly mock: Outcome;
  readonly live: Outcome;
  /** How the live API, or otherwise the mock, breaks it. */
  readonly error?: string | undefined;
  /** Why it was not checked. */
  readonly reason?: string | undefined;
  /** Duration on the live API, in milliseconds. */
  readonly ms: number;
}

/** A promise that a live API breaks intentionally or temporarily. */
export type KnownDeviation = Pick<ComparedPromise, 'section' | 'name'> & { readonly reason: string };

/** The comparison of a live API with the mock. */
export interface ParityReport {
  readonly url: string;
  readonly promises: readonly ComparedPromise[];
  /** Promises that the live API or the mock breaks. */
  readonly differences: number;
  readonly unchecked: number;
}

const LACKS: Readonly<Record<Capability, string>> = {
  snapshot: 'needs the two blogs of the conformance suite on the server',
  clock: 'needs a clock that can be advanced',
  preview: 'needs preview tokens of unpublished posts, which the API does not create',
  schedule: 'needs a post of its own, which the API cannot write',
  adCounts: 'needs the counters of ads, which the API does not show',
  origins: 'needs headers that a browser sets itself',
  ips: 'needs clicks from several IP addresses',
};
const COUNTS = 'records impressions and clicks; run it with --clicks';
const OPEN = 'left open by the API document; excluded by --api-md-only';
const MARKS: Readonly<Record<Outcome, string>> = { ok: 'ok', fails: 'FAILS', known: 'known', unchecked: '-' };

/**
 * Checks a live API and the mock against the same promises and prints the results side by side, with the reason for
 * each promise that could not be checked.
 *
 * @throws Error when nothing responds, or the API redirects or refuses the key
 */
export async function parity(options: ParityOptions): Promise<ParityReport> {
  const { url, apiKey, clicks, origin, known = [], write } = options;
  await requestLive({ url, apiKey }, '/tags');
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
    throw new Error(`--origin: expected an origin such as https://blog.example, received ${origin}`);
  }
  const effects = clicks ? 'all' : 'read';
  const mock = createMock();
  const mocked = await runConformance(
    { ...mock.connection, fetch: (request) => mock.fetch(request), origins: true },
    { effects },
  );
  const byName = new Map(mocked.map((result) => [`${result.section} ${result.name}`, result]));
  const target = targetOf(options);
  write(row('section', 'mock', 'live', 'promise'));
  const promises: ComparedPromise[] = [];
  await runConformance(target, {
    effects,
    onResult(live) {
      const promise = compare(live, byName.get(`${live.section} ${live.name}`), known);
      promises.push(promise);
      if (promise.live === 'unchecked') return;
      write(row(promise.section, MARKS[promise.mock], MARKS[promise.live], promise.name));
      if (promise.error) write(`${' '.repeat(25)}${promise.error}`);
    },
  });
  promises.push(...notRun(target, clicks));
  const unchecked = promises.filter(({ live }) => live === 'unchecked');
  for (const line of reasonsOf(unchecked)) write(line);
  for (const { section, name } of known) {
    const promise = promises.find((one) => one.section === section && one.name === name);
    if (!promise || promise.live === 'ok') write(`not a deviation: ${section} ${name}`);
  }
  const differences = promises.filter(({ mock, live }) => mock === 'fails' || live === 'fails').length;
  const checked = promises.length - unchecked.length;
  write(`${checked} promises, ${differences} ${differences === 1 ? 'difference' : 'differences'}`);
  const flags = await flagsFor(options, promises);
  for (const flag of new Set(flags)) write(`${flags.filter((one) => one === flag).length} of them pass with ${flag}`);
  return { url, promises, differences, unchecked: unchecked.length };
}

type Flags = Pick<ParityOptions, 'apiMdOnly' | 'allowExtraFields'>;

/** The live API, changed as the flags require. */
function targetOf({ url, apiKey, origin, apiMdOnly = false, allowExtraFields = false }: ParityOptions): Target {
  const baseUrl = url.replace(/\/$/, '');
  return {
    baseUrl,
    apiKey,
    fetch: async (request) => {
      const response = await fetchAgain(request);
      return allowExtraFields ? withoutExtraFields(request, response, baseUrl) : response;
    },
    origins: true,
    documentOnly: apiMdOnly,
    ...(origin !== undefined && { origin }),
  };
}

const FLAGS: readonly (readonly [flag: string, Flags])[] = [
  ['--allow extra-fields', { allowExtraFields: true }],
  ['--api-md-only', { apiMdOnly: true }],
  ['--api-md-only --allow extra-fields', { apiMdOnly: true, allowExtraFields: true }],
];

/** The flag that would leave out each difference: a correct server may differ in the points that the flag names. */
async function flagsFor(options: ParityOptions, promises: readonly ComparedPromise[]): Promise<string[]> {
  const targets = FLAGS.map(([flag, more]) => ({ flag, target: targetOf({ ...options, ...more }) }));
  const found: string[] = [];
  for (const promise of promises.filter(({ live }) => live === 'fails')) {
    let flag: string | undefined;
    // Begins with the flags that leave out the most: a difference that remains with these remains with any flag.
    for (const one of targets.toReversed()) {
      if (await passes(promise, one.target)) ({ flag } = one);
      else if (!flag) break;
    }
    if (flag) found.push(flag);
  }
  return found;
}

async function passes({ section, name }: ComparedPromise, target: Target): Promise<boolean> {
  const one = casesFor(target).cases.find((other) => other.section === section && other.name === name);
  const failed: unknown = await one?.run(target).catch((error: unknown) => error);
  return failed === undefined || failed instanceof Unchecked;
}

const outcomeOf = (result: ConformanceResult | undefined): Outcome =>
  result?.ok ? 'ok' : result?.error === undefined ? 'unchecked' : 'fails';

function compare(
  live: ConformanceResult,
  mocked: ConformanceResult | undefined,
  known: readonly KnownDeviation[],
): ComparedPromise {
  const { section, name, ms, unchecked } = live;
  const error = live.error ?? mocked?.error;
  const deviation = known.find((one) => one.section === section && one.name === name);
  const outcome = deviation && outcomeOf(live) === 'fails' ? 'known' : outcomeOf(live);
  return { section, name, mock: outcomeOf(mocked), live: outcome, error, reason: unchecked ?? deviation?.reason, ms };
}

/** The promises that cannot be checked, each with its reason. */
function notRun(target: Target, clicks: boolean): ComparedPromise[] {
  const { cases, left } = casesFor(target);
  const counting = clicks ? [] : cases.filter(({ effect }) => effect === 'counts');
  const all = target.documentOnly ? casesFor({ ...target, documentOnly: false }).cases : [];
  const reasons = [
    ...counting.map((one) => ({ one, reason: COUNTS })),
    ...left.map(({ case: one, lacks }) => ({ one, reason: lacks.map((lack) => LACKS[lack]).join(', ') })),
    ...all.filter(({ section }) => section === 'decided').map((one) => ({ one, reason: OPEN })),
  ];
  return reasons.map(({ one: { section, name }, reason }) => {
    return { section, name, mock: 'unchecked', live: 'unchecked', reason, ms: 0 };
  });
}

function* reasonsOf(unchecked: readonly ComparedPromise[]): Generator<string> {
  for (const reason of new Set(unchecked.map((promise) => promise.reason))) {
    const group = unchecked.filter((promise) => promise.reason === reason);
    yield `${group.length} not checked: ${reason}`;
    for (const { section, name } of group) yield `  ${section.padEnd(9)}${name}`;
  }
}

const row = (section: string, mock: string, live: string, promise: string): string =>
  `${section.padEnd(9)}${mock.padEnd(8)}${live.padEnd(8)}${promise}`;

/** Sends a request; repeats a read once when its connection is lost. */
async function fetchAgain(request: Request): Promise<Response> {
  if (request.method !== 'GET' || request.url.includes('/public/ads/')) return fetch(request);
  const again = request.clone();
  return fetch(request).catch(() => fetch(again));
}

/** The response without the fields that the contract does not have. */
async function withoutExtraFields(request: Request, response: Response, baseUrl: string): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (body === undefined) return response;
  const { pathname } = new URL(request.url);
  const route = findRoute(request.method, pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length));
  const known = !response.ok
    ? read(ErrorEnvelope, body)
    : route.found === 'endpoint'
      ? knownFields(route.id, body)
      : body;
  // Without extra fields the response keeps its original bytes.
  if (JSON.stringify(known).length === JSON.stringify(body).length) return response;
  return new Response(JSON.stringify(known), { status: response.status, headers: response.headers });
}

function knownFields(id: EndpointId, body: unknown): unknown {
  const message: Message = MESSAGES[id];
  if ((ENDPOINTS[id] as Endpoint).form === 'bare') return read(message.data, body);
  const { success, data, meta } = body as Readonly<Record<string, unknown>>;
  return { success, data: read(message.data, data), ...(message.meta && { meta: read(message.meta, meta) }) };
}

/** Parses a value, which drops fields that the schema does not have; an invalid value is returned unchanged. */
function read(schema: Parameters<typeof validate>[0], value: unknown): unknown {
  const result = validate(schema, value);
  return result.ok ? result.value : value;
}
