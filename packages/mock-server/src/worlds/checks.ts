import { ENDPOINT_IDS, ERRORS, type ErrorCode } from '@broadsheet/contract';
import { FAILURES } from '@broadsheet/contract/failures';
import type { ListenOptions } from '../doors/listening.ts';
import type { Disruption, FaultOptions, Profile, SequenceStep, Target } from '../faults/fault.ts';
import { PROFILES, type ProfileName } from '../faults/profiles.ts';
import type { ChosenOddities, Lens, LensName, Mixture, Mutation } from '../lenses/lens.ts';
import type { MockOptions } from './mock.ts';
import type { WorldOptions } from './world.ts';

// What the compiler says to those who have one; tests in JavaScript and the control plane have none. Nothing here
// gives anything back: a page loads it after the call, and reports what is wrong on its console.

// The compiler holds these lists against the types. A page that has the public ones loaded does not load them twice.
const LENSES = Object.keys({
  sparse: 1,
  maximal: 1,
  hostile: 1,
  unwrapped: 1,
} satisfies Record<LensName, 1>);
const DISRUPTIONS = Object.keys({
  ...{ reset: 1, cut: 1, truncate: 1, stall: 1, drip: 1, html: 1, 'wrong-type': 1, empty: 1 },
} satisfies Record<Disruption, 1>);
const MUTATIONS = Object.keys({
  ...{ absent: 1, null: 1, filled: 1, rtl: 1, astral: 1, html: 1, huge: 1, empty: 1 },
} satisfies Record<Mutation, 1>);

/** The fields of a blog's content. */
export const CONTENT_FIELDS = ['name', 'domains', 'categories', 'tags', 'posts', 'ads'] as const;
const FAULT_FIELDS = ['times', 'after', 'when', 'id', 'nth', 'p'] as const;

/** What `createMock` is given. @throws TypeError for an option that there is not */
export function mock(options: MockOptions): void {
  fields('createMock', options, ['baseUrl', 'seed', 'docsUrl', 'main']);
  const { baseUrl } = options;
  if (baseUrl === undefined || URL.canParse(baseUrl)) return;
  throw new TypeError(
    `createMock: baseUrl is ${JSON.stringify(baseUrl)}; write a whole URL such as https://api.example.com`,
  );
}

/** What `handlers` is given. */
export function handlers(options: { readonly unknown?: 'leave' | 'answer' }): void {
  fields('mock.handlers', options, ['unknown']);
  known('handling of unknown paths', options.unknown ?? 'leave', ['leave', 'answer']);
}

/** What `listen` is given. */
export function listen(options: ListenOptions): void {
  fields('mock.listen', options, ['port', 'host', 'worlds']);
  const { port = 0 } = options;
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return;
  throw new RangeError(`mock.listen: port is ${JSON.stringify(port)}; write a whole number from 0 to 65535`);
}

/** What a world is made of. @throws TypeError for an option that there is not, RangeError for a value that is none */
export function world(options: WorldOptions): void {
  fields('mock.world', options, ['name', 'seed', 'blog', 'apiKey', 'start', 'pace', 'ip', 'origin']);
  const { pace = 'virtual', ip, origin, blog } = options;
  known('pace', pace, ['virtual', 'real']);
  if (blog && 'blogs' in blog && blog.blogs.length !== 1) {
    throw new RangeError(`mock.world: the snapshot has ${blog.blogs.length} blogs; a world has one, give one of them`);
  }
  visitor({ ip, origin });
}

/** What `fail` is given. @throws RangeError for a status, or a code, that the contract does not have there */
export function fail(
  on: Target,
  status: number,
  options: FaultOptions & { readonly code?: ErrorCode; readonly message?: string },
): void {
  target(on);
  fields('fail', options, [...FAULT_FIELDS, 'code', 'message']);
  failure(on, status, options.code);
  fault(options);
}

/** What `disrupt` is given. */
export function disrupt(on: Target, word: Disruption, options: FaultOptions): void {
  target(on);
  known('disruption', word, DISRUPTIONS);
  fields('disrupt', options, FAULT_FIELDS);
  fault(options);
}

/** What `sequence` is given. @throws RangeError for no steps, or one that cannot be */
export function sequence(on: Target, steps: readonly SequenceStep<Target>[]): void {
  target(on);
  if (!Array.isArray(steps) || steps.length === 0) {
    throw new RangeError(
      `sequence: ${JSON.stringify(steps)} is no list of steps; write one such as [503, 'reset', 200]`,
    );
  }
  for (const step of steps) {
    if (typeof step === 'string') known('disruption', step, DISRUPTIONS);
    else if (step !== 200) failure(on, step);
  }
}

/** What `profile` is given. */
export function profile(given: ProfileName | Profile, on: Target): void {
  target(on);
  if (typeof given === 'string') {
    known('profile', given, Object.keys(PROFILES));
    return;
  }
  fields('profile', given, ['latency', 'p', 'status', 'disruption']);
  const { p, status, disruption } = given;
  if (status !== undefined) failure(on, status);
  if (disruption !== undefined) known('disruption', disruption, DISRUPTIONS);
  fault({ ...(p !== undefined && { p }) });
}

/** What `hold` is given. */
export function hold(on: Target, options: { readonly times?: number }): void {
  target(on);
  fields('hold', options, ['times']);
  count('times', options.times);
}

/** An endpoint, or `'*'`. @throws RangeError with those there are */
export function target(on: Target): void {
  known('endpoint', on, ['*', ...ENDPOINT_IDS]);
}

/** What `lens` is given. @throws RangeError with those there are */
export function lens(given: Lens | ChosenOddities | undefined, on: Target): void {
  target(on);
  if (given === undefined) return;
  if (typeof given === 'string') {
    known('lens', given, LENSES);
    return;
  }
  if ('chooses' in given || isFuzz(given) || isMixture(given)) return;
  throw new RangeError(
    `${JSON.stringify(given)} is no lens; write ${LENSES.join(', ')}, { fuzz: 17 }, ` +
      `or { mutations, unwrapped, seed, oneIn } with mutations of ${MUTATIONS.join(', ')}`,
  );
}

/** What `put` is given. */
export function put(content: object): void {
  fields('put', content as Partial<Record<(typeof CONTENT_FIELDS)[number], unknown>>, CONTENT_FIELDS);
}

/** Who visits. @throws RangeError for what is no address, or no origin */
export function visitor(given: { readonly ip?: string | undefined; readonly origin?: string | undefined }): void {
  fields('visitAs', given, ['ip', 'origin']);
  const { ip, origin } = given;
  if (ip !== undefined && !/^(\d{1,3}(\.\d{1,3}){3}|[\da-f.]*:[\da-f:.]+)$/i.test(ip)) {
    throw new RangeError(`ip is ${JSON.stringify(ip)}; write an address such as 192.0.2.1 or 2001:db8::1`);
  }
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
    throw new RangeError(`origin is ${JSON.stringify(origin)}; write one such as https://site.example, without a path`);
  }
}

/** @throws TypeError for what is no object of fields, or has one that would do nothing, unseen */
function fields<T extends object>(where: string, options: T, names: readonly (keyof T & string)[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${where}: ${JSON.stringify(options)} is no object; it takes ${names.join(', ')}`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name as keyof T & string));
  if (unknown === undefined) return;
  throw new TypeError(`${where}: there is no option ${unknown}; there are ${names.join(', ')}`);
}

function known(kind: string, word: string, words: readonly string[]): void {
  if (words.includes(word)) return;
  throw new RangeError(`there is no ${kind} ${JSON.stringify(word)}; there are ${words.join(', ')}`);
}

function fault({ times, nth, p }: FaultOptions): void {
  count('times', times);
  for (const one of [nth].flat()) count('nth', one);
  if (p !== undefined && !(p > 0 && p <= 1)) throw new RangeError(`p is ${p}; write a chance above 0, up to 1`);
}

function count(what: string, given: number | undefined): void {
  if (given === undefined || given === Number.POSITIVE_INFINITY || (Number.isInteger(given) && given >= 1)) return;
  throw new RangeError(`${what} is ${JSON.stringify(given)}; write a whole number from 1, it applies at least once`);
}

function failure(on: Target, status: number, wanted?: ErrorCode): void {
  const codes: readonly ErrorCode[] = FAILURES[on === '*' ? 'tags.list' : on];
  const fitting = codes.filter((code) => ERRORS[code].status === status);
  if (wanted === undefined ? fitting.length > 0 : fitting.includes(wanted)) return;
  const never = `${on} never answers ${JSON.stringify(status)}`;
  if (fitting.length > 0) throw new RangeError(`${never} with ${JSON.stringify(wanted)}; it has ${fitting.join(', ')}`);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((one, two) => one - two);
  const type = typeof status === 'number' ? '' : '; a status is a number';
  throw new RangeError(`${never} by its contract; it may fail with ${statuses.join(', ')}${type}`);
}

const isFuzz = (given: object): boolean =>
  'fuzz' in given && (Array.isArray(given.fuzz) || ['string', 'number'].includes(typeof given.fuzz));

function isMixture(given: object): boolean {
  const { mutations, unwrapped, seed, oneIn } = given as Partial<Mixture>;
  const mutationsKnown = Array.isArray(mutations) && mutations.every((mutation) => MUTATIONS.includes(mutation));
  return mutationsKnown && typeof unwrapped === 'boolean' && Number.isFinite(seed) && Number(oneIn) >= 1;
}
