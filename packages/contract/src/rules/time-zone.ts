/** Whether a value is the name of a time zone in the IANA database. An offset such as `+02:00` is not a name. */
export function isTimeZone(value: string): boolean {
  try {
    return /^[a-z]/i.test(new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}
