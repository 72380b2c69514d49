import type { EndpointId } from './endpoint-id.ts';
import { InputError } from './errors/error-kinds.ts';
import { tryRead } from './errors/errors.ts';

/** Checks whether a value fits an option, and names what the option expects. */
type OptionRule = readonly [fits: (value: unknown) => boolean, wanted: string];
type OptionRules = Readonly<Record<string, OptionRule>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const hasMethods = (value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'function');
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isAmountOrFalse = (value: unknown): boolean => value === false || isAmount(value);
const hook: OptionRule = [(value) => typeof value === 'function', 'a function'];
const object: OptionRule = [isObject, 'an object'];
/** Copies the fields, so that one that cannot be read is reported here. */
const fields: OptionRule = [(value) => isObject(value) && Boolean({ ...value }), 'an object'];
const amount: OptionRule = [isAmount, 'a number of 0 or more'];
/** For a boolean, and for values that another part of the client checks. */
const any: OptionRule = [() => true, ''];

const RETRY = { limit: amount, baseDelay: amount, maxDelay: amount, maxRetryAfter: amount, sleep: hook, random: hook };
const CALL: OptionRules = {
  signal: [
    (value) =>
      isObject(value) &&
      typeof value['aborted'] === 'boolean' &&
      hasMethods(value, ['addEventListener', 'removeEventListener']),
    'an AbortSignal',
  ],
  timeout: [isAmountOrFalse, 'a number of milliseconds, or false'],
  retry: [(value) => isAmountOrFalse(value) || isObject(value), 'a number, false or { limit }'],
  headers: fields,
  fetchOptions: fields,
  fetch: hook,
  maxBodyBytes: amount,
  validate: [(value) => ['report', 'strict', 'off'].includes(value as string), "'report', 'strict' or 'off'"],
  onDrift: hook,
  onEvent: hook,
  middleware: [
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'function'),
    'an array of functions',
  ],
  logger: [
    (value) => isObject(value) && hasMethods(value, ['debug', 'warn', 'error']),
    'a logger with debug, warn and error',
  ],
};
const trust: OptionRule = [
  (value) => value === 'cloudflare' || (Number.isInteger(value) && isAmount(value)),
  "'cloudflare' or a number of proxies",
];
const switches = { dedupe: any, nextTags: any, allowInsecureHttp: any, browser: any };
const CLIENT: OptionRules = { baseUrl: any, apiKey: any, ...CALL, cache: object, trust, ...switches };
const OFFSET: OptionRules = { limit: amount, offset: amount, ...CALL };
const PAGED: OptionRules = { page: amount, pageSize: amount, ...CALL };
const text: OptionRule = [(value) => typeof value === 'string', 'a string'];
const AD: OptionRules = { visitor: object, trust, client: text, idempotencyKey: text, ...CALL };
const OWN: { readonly [Id in EndpointId]?: OptionRules } = {
  'posts.list': OFFSET,
  search: OFFSET,
  'categories.posts': PAGED,
  'tags.posts': PAGED,
  request: { query: fields, body: any, ...CALL },
  'ads.deliver': AD,
  'ads.deliverBatch': AD,
  'ads.click': { ...AD, keepalive: any },
  'ads.impression': AD,
};

/** The error of a call that is refused before the network. */
export function inputError(id: EndpointId | undefined, why: string, code = 'INVALID_INPUT'): InputError {
  const message = `${id ?? 'createClient'}: ${why}${/[?.]$/.test(why) ? '' : '.'}`;
  return new InputError(message, { code, phase: 'input', endpoint: id });
}

/** Options without `undefined`. */
export type SetOf<Options> = { readonly [Name in keyof Options]: Exclude<Options[Name], undefined> };

/** The options that are set: one that is `undefined` does not replace another. */
export function setOf<Options extends object>(options: Options): SetOf<Options> {
  const set: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) if (value !== undefined) set[name] = value;
  return set as SetOf<Options>;
}

/** A value in a message: a short form of a primitive value; for other values, only the kind. */
function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (isObject(value))
    return Array.isArray(value) ? 'an array' : `an object (${tryRead(() => value.constructor.name) ?? 'plain'})`;
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}

/** The message about an invalid value. */
export const mustBe = (name: string, wanted: string, value: unknown): string =>
  `${name} must be ${wanted}; received ${describe(value)}`;

/**
 * Checks the options of the client, or of one call. Otherwise, a wrong option would fail far from where it was written,
 * or be ignored silently.
 *
 * @throws InputError that names the option, what was received and what is expected.
 */
export function checkOptions(
  id: EndpointId | undefined,
  options: unknown,
  rules: OptionRules = id ? (OWN[id] ?? CALL) : CLIENT,
): void {
  if (!isObject(options)) throw inputError(id, mustBe('the options', 'an object', options));
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) && rules[name];
    if (!rule) throw inputError(id, `unknown option "${name}". ${meant(name, Object.keys(rules))}`);
    // A getter or a proxy of the caller may throw.
    if (!tryRead(() => rule[0](value))) throw inputError(id, mustBe(name, rule[1], value));
  }
  if (isObject(options['retry'])) checkOptions(id, options['retry'], RETRY);
}

/** The hint about an unknown option: the option that was probably meant, or all of them. */
function meant(name: string, names: readonly string[]): string {
  const guess = names.find((one) => one.toLowerCase() === name.toLowerCase());
  return guess ? `Did you mean "${guess}"?` : `Known options: ${names.join(', ')}`;
}
