/**
 * Reads what the slug or id in a URL leads to. Next passes a parameter as it is in the URL, which is encoded, and in some
 * places already decoded; a slug with a `%` must not be decoded twice.
 */
export async function readParam<T>(param: string, read: (text: string) => Promise<T | undefined>) {
  const text = decode(param);
  return (await read(text)) ?? (text === param ? undefined : read(param));
}

function decode(param: string): string {
  try {
    return decodeURIComponent(param);
  } catch {
    // A URL that cannot be decoded, such as /posts/100%.
    return param;
  }
}
