import { ENDPOINT_IDS, ERROR_CODES } from '@broadsheet/contract';
import { DISRUPTIONS, PROFILES } from '../faults/fault.ts';
import { LENSES } from '../lenses/lens.ts';
import type { CommandInput, CommandName } from './commands.ts';

/** The fields of an object, each with whether it must be there. */
type Fields<T = object> = { readonly [F in keyof T]-?: object extends Pick<T, F> ? false : true };

const CHOICE = { times: false, id: false, nth: false, p: false, when: false } as const;
const FAULT = { ...CHOICE, after: false } as const;

/** What each command takes. The compiler holds it against the commands; this holds what comes over HTTP against it. */
const COMMAND_FIELDS: { readonly [C in CommandName]: Fields<NonNullable<CommandInput<C>>> } = {
  state: {},
  advance: { by: true },
  advanceTo: { to: true },
  fail: { target: true, status: true, code: false, message: false, ...FAULT },
  answer: { target: true, patch: true, offContract: false, status: false, headers: false, ...CHOICE },
  disrupt: { target: true, disruption: true, ...FAULT },
  sequence: { target: true, steps: true },
  profile: { profile: true, target: false },
  faults: {},
  hits: { fault: true },
  lift: { fault: true },
  delay: { target: true, duration: true },
  hold: { target: true, times: false },
  gates: {},
  release: { gate: false, target: false },
  lens: { lens: false, target: false },
  put: { content: true },
  remove: { categories: false, tags: false, posts: false, ads: false },
  visitAs: { ip: false, origin: false },
  rotateKey: {},
  blog: {},
  calls: {},
  tokens: {},
  ad: { id: true },
  offContract: {},
  forgive: {},
  unfinished: {},
  reset: {},
  snapshot: { name: true },
  restore: { name: true },
};

const TIME = { type: ['integer', 'string'] };
/** What stands in a field, as JSON Schema. */
const FIELD_SCHEMAS: Readonly<Record<string, object>> = {
  target: { enum: ['*', ...ENDPOINT_IDS] },
  status: { type: 'integer' },
  code: { enum: ERROR_CODES },
  disruption: { enum: DISRUPTIONS },
  profile: { anyOf: [{ enum: Object.keys(PROFILES) }, { type: 'object' }] },
  steps: { type: 'array', minItems: 1, items: { anyOf: [{ type: 'integer' }, { enum: DISRUPTIONS }] } },
  lens: { anyOf: [{ enum: LENSES }, { type: 'object' }] },
  times: { type: 'integer', minimum: 1 },
  nth: {
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'array', items: { type: 'integer', minimum: 1 } },
    ],
  },
  p: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  after: { type: 'boolean' },
  offContract: { type: 'boolean' },
  when: { type: 'object' },
  headers: { type: 'object' },
  patch: {},
  by: TIME,
  to: TIME,
  duration: { anyOf: [TIME, { type: 'array', items: TIME, minItems: 2, maxItems: 2 }] },
  content: { type: 'object' },
};

/** What each command takes, as JSON Schema. */
export const commandSchemas = (): Readonly<Record<string, object>> =>
  Object.fromEntries(Object.entries(COMMAND_FIELDS).map(([command, fields]) => [command, schemaOf(fields)]));

function schemaOf(fields: Fields): object {
  const named: [name: string, needed: boolean][] = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name]) => [name, FIELD_SCHEMAS[name] ?? { type: 'string' }])),
    required: named.filter(([, needed]) => needed).map(([name]) => name),
    additionalProperties: false,
  };
}

/** What a command is given, as it came over HTTP. @throws RangeError for fields that it does not take, or lacks */
export function commandInput(command: CommandName, input: unknown): object {
  const fields: Fields = COMMAND_FIELDS[command];
  const known: [name: string, needed: boolean][] = Object.entries(fields);
  const takes = `it takes ${known.map(([name, needed]) => (needed ? name : `${name}?`)).join(', ') || 'none'}`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new RangeError(`${command}: ${JSON.stringify(input)} is no object of fields; ${takes}`);
  }
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name));
  const missing = known.filter(([name, needed]) => needed && !Object.hasOwn(input, name));
  const problems = [
    ...unknown.map((name) => `there is no field ${name}`),
    ...missing.map(([name]) => `${name} is missing`),
  ];
  if (problems.length > 0) throw new RangeError(`${command}: ${problems.join(', ')}; ${takes}`);
  return input;
}
