import { ENDPOINT_IDS, ERRORS, type ErrorCode, type SnapshotInput } from '@broadsheet/contract';
import { FAILURES } from '@broadsheet/contract/failures';
import { DISRUPTIONS, PROFILES, type Target } from '../faults/fault.ts';
import { LENSES } from '../lenses/lens.ts';

// What the compiler reports to TypeScript; tests in JavaScript and the control plane need it at run time.

const KINDS = 'categories tags posts ads';
const FAULT = 'target times after when id nth p ';
/** The fields that each method takes. */
const FIELDS = {
  createMock: 'baseUrl seed docsUrl main',
  'mock.world': 'name seed blog apiKey start pace ip origin',
  'mock.handlers': 'unknown',
  'mock.listen': 'port host worlds allowOrigins',
  'mock.explore': 'runs seed without',
  visitAs: 'ip origin',
  fail: `${FAULT}code message`,
  disrupt: `${FAULT}disruption`,
  answer: `${FAULT}change offContract status headers`,
  sequence: 'target steps',
  profile: 'target profile latency p status disruption',
  hold: 'target times',
  lens: 'target lens',
  put: `name domains ${KINDS}`,
  remove: KINDS,
};

/** What a field must be, in words, and whether a value is that. */
interface Rule {
  readonly must: string;
  /** Most values are strings; any other value fails. */
  test(value: string): boolean;
}

const oneOf = (words: readonly unknown[]): Rule => ({
  must: `one of ${words.join(', ')}`,
  test: (value) => words.includes(value),
});
const isCount = (value: unknown): boolean =>
  value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) > 0);
const count: Rule = { must: 'an integer of at least 1', test: (value) => [value].flat().every(isCount) };

const RULES: Readonly<Record<string, Rule>> = {
  target: oneOf(['*', ...ENDPOINT_IDS]),
  pace: oneOf(['virtual', 'real']),
  unknown: oneOf(['leave', 'answer']),
  disruption: oneOf(DISRUPTIONS),
  profile: oneOf(Object.keys(PROFILES)),
  times: count,
  nth: count,
  runs: count,
  p: { must: 'above 0 and at most 1', test: (value) => +value > 0 && +value <= 1 },
  baseUrl: { must: 'an absolute URL', test: (value) => URL.canParse(value) },
  ip: {
    must: 'an IP address',
    test: (value) => /^(\d{1,3}(\.\d{1,3}){3}|[\da-f.]*:[\da-f:.]+)$/i.test(value),
  },
  origin: {
    must: 'an origin such as https://site.example',
    test: (value) => URL.canParse(value) && new URL(value).origin === value,
  },
  blog: {
    must: 'one blog, or a snapshot of one',
    test: (value: unknown) => ((value as Partial<SnapshotInput>).blogs ?? [1]).length === 1,
  },
  steps: {
    must: "a list such as [503, 'reset', 200]",
    test: (value) => Array.isArray(value) && value.length > 0,
  },
  lens: {
    must: `one of ${LENSES.join(', ')}, or { fuzz: 17 }`,
    test(value: unknown) {
      const { fuzz } = Object(value);
      return LENSES.some((name) => name === value) || Array.isArray(fuzz) || /string|number/.test(typeof fuzz);
    },
  },
};

/**
 * Checks what a method was given.
 *
 * @throws TypeError for what is no object, or has a field that would do nothing; RangeError for an invalid value
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
    const rule = RULES[name];
    if (value === undefined || !rule || rule.test(value as string)) continue;
    throw new RangeError(`${method}: ${name} must be ${rule.must}; received ${show(value)}`);
  }
}

/** The code that a status stands for at an endpoint. @throws RangeError for one that the contract does not have there */
export function codeOf(target: Target, status: number, wanted?: ErrorCode): ErrorCode {
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
