const TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Requests, schemas and the validators of the SDK all use these rules, so that they agree.

/** Whether a value is a timestamp by RFC 3339: a date that exists, a time with seconds, and a time zone. */
export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string' || !TIMESTAMP.test(value)) return false;
  const day = Number(value.slice(8, 10));
  // `Date` reads 30 February as 2 March.
  return day < 29 || new Date(value.slice(0, 10)).getUTCDate() === day;
}

/** Whether a value has the form of a UUID, of any version. */
export const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);
