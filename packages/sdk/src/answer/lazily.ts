import { NetworkError } from '../errors/error-kinds.ts';

/**
 * Loads what only a failure needs, so that a program that lists posts does not carry it.
 *
 * @throws NetworkError when a browser cannot load it.
 */
export async function lazily<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new NetworkError('the part of the client that reads this answer could not be loaded.', {
      code: 'NETWORK_ERROR',
      phase: 'parse',
      retryable: true,
      cause,
    });
  }
}
