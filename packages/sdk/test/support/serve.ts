import { onTestFinished } from 'vitest';
import { type Handler, type Listening, listen, type Seen } from './listen.ts';

/** A server that ends with the test. */
export async function serve(handler: Handler): Promise<Listening> {
  const server = await listen(handler);
  onTestFinished(server.close);
  return server;
}

/** The requests that may count an impression: all but those that ask whether the server accepts idempotency keys. */
export const deliveriesOf = ({ seen }: Listening): Seen[] =>
  seen.filter(({ url }) => !url.startsWith('/public/ads/tracking/impression'));
