import type { ServerResponse } from 'node:http';

/**
 * Sends the answers of one turn of the event loop together, at its end. Written one by one between reading and
 * thinking, each wakes a client that has gone to sleep meanwhile, and the system spends more on that than the server on
 * its answers; written in a row they find it awake.
 */
export function createDeparture<Answer>(
  send: (outgoing: ServerResponse, answer: Answer) => void,
  fail: (outgoing: ServerResponse, error: unknown) => void,
): (outgoing: ServerResponse, answer: Answer) => void {
  let waiting: { readonly outgoing: ServerResponse; readonly answer: Answer }[] = [];
  const depart = () => {
    const leaving = waiting;
    waiting = [];
    for (const { outgoing, answer } of leaving) {
      try {
        send(outgoing, answer);
      } catch (error) {
        fail(outgoing, error);
      }
    }
  };
  return (outgoing, answer) => {
    if (waiting.push({ outgoing, answer }) === 1) setImmediate(depart);
  };
}
