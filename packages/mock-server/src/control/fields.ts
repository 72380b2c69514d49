import type { BlogContent } from '../data/sample-blog.ts';
import type { WorldOptions } from '../worlds/world.ts';
import type { CommandInput, CommandName } from './commands.ts';

/** The fields of an object, each with whether it must be there. */
export type Fields<T = object> = { readonly [F in keyof T]-?: object extends Pick<T, F> ? false : true };

const FAULT = { times: false, after: false, id: false, nth: false, p: false } as const;

/** What each command takes. The compiler holds it against the commands; this holds what comes over HTTP against it. */
const COMMAND_FIELDS: { readonly [C in CommandName]: Fields<NonNullable<CommandInput<C>>> } = {
  advance: { by: true },
  fail: { target: true, status: true, code: false, message: false, ...FAULT },
  disrupt: { target: true, disruption: true, ...FAULT },
  delay: { target: true, duration: true },
  hold: { target: true, times: false },
  release: { target: true },
  lens: { lens: false, target: false },
  put: { content: true },
  visitAs: { ip: false, origin: false },
  rotateKey: {},
  blog: {},
  calls: {},
  tokens: {},
  ad: { id: true },
  offContract: {},
  reset: {},
  snapshot: { name: true },
  restore: { name: true },
};

const WORLD: Fields<WorldOptions> = {
  ...{ name: false, seed: false, blog: false, apiKey: false, start: false, pace: false, ip: false, origin: false },
};

const CONTENT: Fields<Partial<BlogContent>> = {
  ...{ name: false, domains: false, categories: false, tags: false, posts: false, ads: false },
};

/** What a new world is made of, as it came over HTTP. @throws RangeError for what no world has */
export function worldOptions(input: unknown): WorldOptions {
  const options: WorldOptions = checked('worlds', input, WORLD);
  // With its id it is a blog as the command `blog` gives it.
  if (options.blog !== undefined) checked('worlds: blog', options.blog, { ...CONTENT, id: false });
  return options;
}

/** What a command is given, as it came over HTTP. @throws RangeError for fields that it does not take, or lacks */
export function commandInput(command: CommandName, input: unknown): object {
  const given = checked(command, input, COMMAND_FIELDS[command]);
  if ('content' in given) checked('put: content', given.content, CONTENT);
  return given;
}

function checked(what: string, input: unknown, fields: Fields): object {
  const known: [name: string, needed: boolean][] = Object.entries(fields);
  const takes = `it takes ${known.map(([name, needed]) => (needed ? name : `${name}?`)).join(', ') || 'none'}`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new RangeError(`${what}: ${JSON.stringify(input)} is no object of fields; ${takes}`);
  }
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name));
  const missing = known.filter(([name, needed]) => needed && !Object.hasOwn(input, name));
  const problems = [
    ...unknown.map((name) => `there is no field ${name}`),
    ...missing.map(([name]) => `${name} is missing`),
  ];
  if (problems.length > 0) throw new RangeError(`${what}: ${problems.join(', ')}; ${takes}`);
  return input;
}
