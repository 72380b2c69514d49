import { ENDPOINT_IDS, ERRORS, type ErrorCode, type SnapshotInput } from '@broadsheet/contract';
import { FAILURES } from '@broadsheet/contract/failures';
import { DISRUPTIONS, PROFILES, type Target } from '../faults/fault.ts';
import { LENSES } from '../lenses/lens.ts';

// TypeScript checks most of this at compile time; tests in JavaScript and the control plane need it at run time.

const KINDS = 'categories tags posts campaigns ads';
const FAULT = 'target times after when id nth p ';
/** The fields that each method takes. */
const FIELDS = {
  createMock: 'baseUrl seed docsUrl main',
  'mock.world': 'name seed blog apiKey start pace ip origin',
  'mock.handlers': 'unknown',
  'mock.listen': 'port host pace allowOrigins',
  'mock.explore': 'runs seed without',
  visitAs: 'ip origin',
  fail: `${FAULT}code message`,
  disrupt: `${FAULT}disruption`,
  answer: `${FAULT}change offContract status headers`,
  sequence: 'target steps',
  profile: 'target profile latency p status disruption',
  hold: 'target times',
  lens: 'target lens',
  put: `name domains timeZone ${KINDS}`,
  remove: KINDS,
};

/** What a value must be, as text, and a check. Most checks expect a string; any other value fails them. */
type Rule = readonly [must: string, test: (value: string) => unknown];

const oneOf = (words: readonly unknown[]): Rule => [`one of ${words.join(', ')}`, (value) => words.includes(value)];
const isCount = (value: unknown) =>
  value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) > 0);
const count: Rule = ['an integer of at least 1', (value) => [value].flat().every(isCount)];

const RULES: Readonly<Record<string, Rule>> = {
  target: oneOf(['*', ...ENDPOINT_IDS]),
  pace: oneOf(['virtual', 'real']),
  unknown: oneOf(['leave', 'answer']),
  disruption: oneOf(DISRUPTIONS),
  profile: oneOf(Object.keys(PROFILES)),
  times: count,
  nth: count,
  runs: count,
  p: ['above 0 and at most 1', (value) => +value > 0 && +value <= 1],
  baseUrl: ['an absolute URL', (value) => URL.canParse(value)],
  ip: ['an IP address', (value) => /^(\d{1,3}(\.\d{1,3}){3}|[\da-f.]*:[\da-f:.]+)$/i.test(value)],
  origin: ['an origin such as https://site.example', (value) => URL.canParse(value) && new URL(value).origin === value],
  blog: [
    'one blog, or a snapshot of one',
    (value: unknown) => ((value as Partial<SnapshotInput>).blogs ?? [1]).length === 1,
  ],
  steps: ["a list such as [503, 'reset', 200]", (value) => Array.isArray(value) && value.length > 0],
  lens: [
    `one of ${LENSES.join(', ')}, or { fuzz: 17 }`,
    (value: unknown) =>
      LENSES.some((name) => name === value) || /string|number|object/.test(typeof (Object(value).fuzz ?? undefined)),
  ],
};

/**
 * Checks the arguments of a method.
 *
 * @throws TypeError for a value that is not an object, or has an unknown field; RangeError for an invalid value
 */
export function check(method: keyof typeof FIELDS, given: object): void {
  const names = FIELDS[method].split(' ');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${method}: expected an object with ${names.join(', ')}; received ${show(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) {
      throw new TypeError(`${method}: unknown option "${name}"; expected one of ${names.join(', ')}`);
    }
    const [must, test] = RULES[name] ?? [];
    if (value === undefined || !test || test(value as string)) continue;
    throw new RangeError(`${method}: ${name} must be ${must}; received ${show(value)}`);
  }
}

/** The error code of a status at an endpoint. @throws RangeError for a status or code that the contract rules out */
export function codeOf(target: Target, status: number, wanted?: string): ErrorCode {
  const codes: readonly ErrorCode[] = FAILURES[target === '*' ? 'tags.list' : target];
  const fitting = codes.filter((code) => ERRORS[code].status === status);
  const code = wanted === undefined ? fitting[0] : fitting.find((one) => one === wanted);
  if (code) return code;
  const never = `${target} never responds with ${show(status)}`;
  if (fitting.length > 0) throw new RangeError(`${never} and ${wanted}; its contract has ${fitting.join(', ')}`);
  const statuses = [...new Set(codes.map((one) => ERRORS[one].status))].sort((one, two) => one - two);
  throw new RangeError(`${never}; its contract has ${statuses.join(', ')}`);
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 200);
