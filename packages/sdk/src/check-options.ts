import type { EndpointId } from './endpoint-id.ts';
import { InputError } from './errors/error-kinds.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether an option fits, and what is wanted. */
type Rule = readonly [fits: (value: unknown) => boolean, wanted: string];

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const orFalse =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === false || fits(value);
const hook: Rule = [(value) => typeof value === 'function', 'a function'];
const fields: Rule = [isObject, 'an object'];
const amount: Rule = [isAmount, 'a non-negative number'];

/** Of the client, of a call, and of `retry`: no name means two things. */
const RULES: Readonly<Record<string, Rule>> = {
  timeout: [orFalse(isAmount), 'milliseconds or false'],
  signal: [(value) => isObject(value) && 'aborted' in value, 'an AbortSignal'],
  retry: [orFalse((value) => isAmount(value) || isObject(value)), 'a number, false or { limit }'],
  validate: [(value) => /^(report|strict|off)$/.test(String(value)), "'report', 'strict' or 'off'"],
  trust: [
    (value) => value === 'cloudflare' || (Number.isInteger(value) && isAmount(value)),
    "'cloudflare' or how many proxies to trust",
  ],
  fetch: hook,
  onDrift: hook,
  onEvent: hook,
  sleep: hook,
  random: hook,
  headers: fields,
  fetchOptions: fields,
  cache: fields,
  middleware: [
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'function'),
    'an array of functions',
  ],
  logger: [
    (value) => isObject(value) && ['debug', 'warn', 'error'].every((level) => typeof value[level] === 'function'),
    'a logger with debug, warn and error',
  ],
  query: fields,
  visitor: fields,
  limit: amount,
  offset: amount,
  page: amount,
  pageSize: amount,
  maxBodyBytes: amount,
  clickToken: [(value) => typeof value === 'string', 'the clickToken of an ad'],
  baseDelay: amount,
  maxDelay: amount,
  maxRetryAfter: amount,
};

const RETRY = 'limit baseDelay maxDelay maxRetryAfter sleep random';
const CALL = 'signal timeout retry headers fetchOptions fetch maxBodyBytes validate onDrift onEvent middleware logger';
const CLIENT = `baseUrl apiKey ${CALL} dedupe cache nextTags trust allowInsecureHttp browser`;
const OWN: { readonly [Id in EndpointId]?: string } = {
  'posts.list': 'limit offset',
  search: 'limit offset',
  'categories.posts': 'page pageSize',
  'tags.posts': 'page pageSize',
  request: 'query body',
  'ads.deliver': 'visitor trust',
  'ads.deliverBatch': 'visitor trust split',
  'ads.click': 'visitor trust keepalive',
  'ads.impression': 'visitor trust clickToken',
};

/** The error of a call that is refused before the network. */
export function refuse(id: EndpointId | undefined, message: string): InputError {
  return new InputError(message, { code: 'INVALID_INPUT', phase: 'input', endpoint: id });
}

/** The options that are set: one that is `undefined` leaves what was there. */
export const setOf = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** A value in a message: its kind alone when it is more than a word. */
export function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (isObject(value)) return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'plain'})`;
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}

/**
 * Checks the options of the client, or of one call. Without it a wrong one surfaces far from where it was written,
 * or is ignored in silence.
 *
 * @throws InputError that names the option, what came and what is wanted.
 */
export function checkOptions(
  id: EndpointId | undefined,
  options: unknown,
  known: string = id ? `${OWN[id] ?? ''} ${CALL}` : CLIENT,
): void {
  const where = `${id ?? 'createClient'}: `;
  if (!isObject(options)) throw refuse(id, `${where}the options are ${describe(options)}: give an object or nothing.`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const names = known.trim().split(' ');
    if (!names.includes(name)) {
      const meant = names.find((one) => one.toLowerCase() === name.toLowerCase());
      throw refuse(
        id,
        `${where}there is no option ${name}: ${meant ? `it is written ${meant}` : `it takes ${names.join(', ')}`}.`,
      );
    }
    const rule = RULES[name];
    if (rule && !rule[0](value)) throw refuse(id, `${where}${name} is ${describe(value)}: give ${rule[1]}.`);
  }
  if (isObject(options['retry'])) checkOptions(id, options['retry'], RETRY);
}
