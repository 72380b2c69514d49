import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDeparture } from './departure.ts';

/** Nothing is done with a response but passing it on. */
const response = (name: string) => ({ name }) as unknown as ServerResponse;

describe('createDeparture', () => {
  it('sends at the end of the turn, in order, and each answer once', async () => {
    const sent: string[] = [];
    const leave = createDeparture<string>(
      (_, answer) => sent.push(answer),
      () => {},
    );
    leave(response('1'), 'one');
    await Promise.resolve();
    leave(response('2'), 'two');
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual(['one', 'two']);
    leave(response('3'), 'three');
    await turn();
    expect(sent).toEqual(['one', 'two', 'three']);
  });

  it('an answer that cannot be sent keeps no other back', async () => {
    const sent: string[] = [];
    const failed: unknown[] = [];
    const bad = response('bad');
    const leave = createDeparture<string>(
      (outgoing, answer) => {
        if (outgoing === bad) throw new Error('no such header');
        sent.push(answer);
      },
      (outgoing, error) => failed.push([outgoing, String(error)]),
    );
    leave(bad, 'bad');
    leave(response('good'), 'good');
    await turn();
    expect(sent).toEqual(['good']);
    expect(failed).toEqual([[bad, 'Error: no such header']]);
  });
});
