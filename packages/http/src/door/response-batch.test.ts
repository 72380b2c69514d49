import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createResponseBatch } from './response-batch.ts';

/** Nothing is done with a response but passing it on. */
const response = (name: string) => ({ name }) as unknown as ServerResponse;

describe('createResponseBatch', () => {
  it('sends at the end of the turn, in order, and each answer once', async () => {
    const sent: string[] = [];
    const send = createResponseBatch<string>(
      (_, answer) => sent.push(answer),
      () => {},
    );
    send(response('1'), 'one');
    await Promise.resolve();
    send(response('2'), 'two');
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual(['one', 'two']);
    send(response('3'), 'three');
    await turn();
    expect(sent).toEqual(['one', 'two', 'three']);
  });

  it('sends the others when one cannot be sent', async () => {
    const sent: string[] = [];
    const failed: unknown[] = [];
    const bad = response('bad');
    const send = createResponseBatch<string>(
      (outgoing, answer) => {
        if (outgoing === bad) throw new Error('no such header');
        sent.push(answer);
      },
      (outgoing, error) => failed.push([outgoing, String(error)]),
    );
    send(bad, 'bad');
    send(response('good'), 'good');
    await turn();
    expect(sent).toEqual(['good']);
    expect(failed).toEqual([[bad, 'Error: no such header']]);
  });
});
