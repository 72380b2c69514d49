import { onTestFinished } from 'vitest';
import { type Answer, type Listening, listen } from './listen.ts';

/** A server that ends with the test. */
export async function serve(answer: Answer): Promise<Listening> {
  const server = await listen(answer);
  onTestFinished(server.close);
  return server;
}
