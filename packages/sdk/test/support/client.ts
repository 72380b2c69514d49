import { type Blog, type ClientOptions, createClient } from '../../src/index.ts';

/** A key that a search for leaks can find. */
export const KEY = 'bsk_SECRET_0123456789';

/** A client that neither waits between attempts nor writes to the console. */
export function client(url: string, options: ClientOptions = {}): Blog {
  const { retry, ...rest } = options;
  const plan = typeof retry === 'object' ? retry : retry === undefined ? {} : { limit: Number(retry) };
  return createClient({
    baseUrl: url,
    apiKey: KEY,
    onDrift: () => {},
    ...rest,
    retry: { sleep: async () => {}, ...plan },
  });
}

/** The reason with which a promise was rejected. */
export async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
