import { expect, test } from 'vitest';
import { findMissing } from './floors.ts';
import type { Entry, Happened } from './history.ts';

const at = (happened: Happened): Entry => ({ start: 0, end: 1, from: 0, to: 1, ...happened });
const own = { client: 'client 1', blog: 'news', apiKey: 'key' };
const ALL: readonly Happened[] = [
  { kind: 'delivery', ...own, slots: [], outcome: 'ok' },
  { kind: 'click', ...own, token: '', outcome: 'ok' },
  { kind: 'beacon', ...own, tokens: [], outcome: 'ok' },
  { kind: 'read', ...own, way: 'post', outcome: 'ok' },
  { kind: 'command', blog: 'news', name: 'ads.pause', outcome: 'ok' },
  { kind: 'message', blog: 'news', id: '1', subject: 't0', type: 'post.updated', changed: 0, status: 200 },
  { kind: 'fault', what: 'kill a server' },
];

test('nothing is missing from a run in which everything happened', () => {
  expect(findMissing(ALL.map(at), ['kill a server'])).toEqual([]);
});

test.each([
  ['delivery', 'No deliveries were acknowledged.'],
  ['click', 'No clicks were acknowledged.'],
  ['beacon', 'No reports of viewable ads were acknowledged.'],
  ['read', 'No reads were acknowledged.'],
  ['command', 'No commands were acknowledged.'],
  ['message', 'No webhooks were received.'],
  ['fault', 'The fault "kill a server" was not injected.'],
])('a run without an acknowledged %s proves nothing', (kind, missing) => {
  const refused = ALL.map((happened): Happened => {
    if (happened.kind !== kind) return happened;
    if (happened.kind === 'fault') return { ...happened, what: 'another one' };
    return happened.kind === 'message' ? { ...happened, status: 500 } : { ...happened, outcome: 'refused' };
  });
  expect(findMissing(refused.map(at), ['kill a server'])).toEqual([missing]);
});
