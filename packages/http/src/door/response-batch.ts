import type { ServerResponse } from 'node:http';
import { atEndOfTurn } from './end-of-turn.ts';

/**
 * Sends the responses of one turn of the event loop together, at its end. A client whose response is written between
 * two other requests has gone to sleep meanwhile, and waking it costs the system more than the response costs us;
 * written in a row they find it awake.
 *
 * @param write writes one response
 * @param fail takes a response that could not be written; the others are written all the same
 */
export function createResponseBatch<Answer>(
  write: (outgoing: ServerResponse, answer: Answer) => void,
  fail: (outgoing: ServerResponse, error: unknown) => void,
): (outgoing: ServerResponse, answer: Answer) => void {
  const send = atEndOfTurn<{ readonly outgoing: ServerResponse; readonly answer: Answer }>(({ outgoing, answer }) => {
    try {
      write(outgoing, answer);
    } catch (error) {
      fail(outgoing, error);
    }
  });
  return (outgoing, answer) => send({ outgoing, answer });
}
