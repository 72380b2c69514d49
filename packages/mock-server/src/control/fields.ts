import type { CommandInput, CommandName } from './commands.ts';

/** For each field of an object, whether it is required. */
type Fields<T = object> = { readonly [F in keyof T]-?: object extends Pick<T, F> ? false : true };

const CHOICE = { times: false, id: false, nth: false, p: false, when: false } as const;
const FAULT = { ...CHOICE, after: false } as const;

/** The fields of each command. The compiler checks them against the commands; requests are checked against them. */
const COMMAND_FIELDS: { readonly [C in CommandName]: Fields<NonNullable<CommandInput<C>>> } = {
  state: {},
  advance: { by: true },
  advanceTo: { to: true },
  fail: { target: true, status: true, code: false, message: false, ...FAULT },
  answer: { target: true, patch: true, offContract: false, status: false, headers: false, ...CHOICE },
  disrupt: { target: true, disruption: true, ...FAULT },
  sequence: { target: true, steps: true },
  profile: { profile: true, target: false },
  hits: { fault: true },
  lift: { fault: true },
  delay: { target: true, duration: true },
  hold: { target: true, times: false },
  release: { gate: false, target: false },
  lens: { lens: false, target: false },
  put: { content: true },
  remove: { categories: false, tags: false, posts: false, campaigns: false, ads: false },
  visitAs: { ip: false, origin: false },
  rotateKey: {},
  blog: {},
  calls: {},
  tokens: {},
  preview: { id: true },
  webhook: { type: true, id: false, url: false, secret: false },
  ad: { id: true },
  offContract: {},
  forgive: {},
  unfinished: {},
  reset: {},
  snapshot: { name: true },
  restore: { name: true },
};

const fieldsOf = (command: CommandName): [name: string, required: boolean][] => Object.entries(COMMAND_FIELDS[command]);

/** The fields of a command as text, optional ones with a question mark. */
export const fieldList = (command: CommandName): string =>
  fieldsOf(command)
    .map(([name, required]) => (required ? name : `${name}?`))
    .join(', ');

/** Checks the input of a command. @throws RangeError for unknown or missing fields */
export function commandInput(command: CommandName, input: unknown): object {
  const takes = `it takes ${fieldList(command) || 'no fields'}`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new RangeError(`${command}: expected an object, received ${JSON.stringify(input)}; ${takes}`);
  }
  const known = fieldsOf(command);
  const unknown = Object.keys(input).filter((name) => !known.some(([field]) => field === name));
  const missing = known.filter(([name, required]) => required && !Object.hasOwn(input, name));
  const problems = [
    ...unknown.map((name) => `unknown field "${name}"`),
    ...missing.map(([name]) => `"${name}" is required`),
  ];
  if (problems.length > 0) throw new RangeError(`${command}: ${problems.join(', ')}; ${takes}`);
  return input;
}
