// Every date except 29 February exists in every year. A pattern takes a third of the time of creating a `Date`.
const ANY_YEAR = String.raw`\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`;
const LEAP_DAY = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const TIMESTAMP = new RegExp(String.raw`^(?:${ANY_YEAR}|${LEAP_DAY})T${TIME}:[0-5]\d(?:\.\d+)?(?:Z|[+-]${TIME})$`);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// The kinds of values. Requests, schemas and the validators of the SDK all use these checks, so that they agree.

/** Whether a value is a timestamp by RFC 3339: a date that exists, a time with seconds, and a time zone. */
export const isTimestamp = (value: unknown): boolean => typeof value === 'string' && TIMESTAMP.test(value);

/** Whether a value has the format of a UUID of any version. */
export const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);

export const isString = (value: unknown): boolean => typeof value === 'string';
export const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** Whether a value is an integer of 0 or more. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether a value is an integer of 1 or more. */
export const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

/** Whether a value is an object of JSON. */
export const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is an array of items that all pass a check. */
export const isList = (value: unknown, item: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(item);
