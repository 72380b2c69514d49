import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask, type Consent } from './consent-platform.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an unknown value is not consent, and the console reports it', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const decided = vi.fn();
  await ask('yes' as Exclude<Consent, true>, decided, new AbortController().signal);
  await expect.poll(() => said).toHaveBeenCalledWith(expect.stringContaining('"yes"'));
  expect(decided).not.toHaveBeenCalled();
  said.mockRestore();
});

test('with TCF, consent waits for the platform and the choice, then follows purpose 2', async () => {
  const decided = vi.fn();
  void ask('tcf', decided, new AbortController().signal);
  let choose: (data: object) => void = () => undefined;
  vi.stubGlobal('__tcfapi', (_: string, __: number, callback: typeof choose) => {
    choose = callback;
  });
  await vi.advanceTimersByTimeAsync(1000);
  choose({ eventStatus: 'cmpuishown', gdprApplies: true });
  expect(decided).not.toHaveBeenCalled();
  choose({ eventStatus: 'useractioncomplete', gdprApplies: true, purpose: { consents: { 1: true } } });
  choose({ eventStatus: 'useractioncomplete', gdprApplies: true, purpose: { consents: { 2: true } } });
  choose({ gdprApplies: false });
  expect(decided.mock.calls).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test.each<[string, object, boolean, boolean]>([
  ['nothing', {}, false, false],
  ['a European refusal', { tcfeuv2: [{ PurposeConsents: [true, false] }] }, false, true],
  ['a European consent', { tcfeuv2: [{ PurposeConsents: [true, true] }] }, true, true],
  ['a European consent without storage', { tcfeuv2: { PurposeConsents: [false, true] } }, true, false],
  ['no opt-out', { usnat: [{ SaleOptOut: 2 }] }, true, true],
  ['an opt-out', { usca: [{ SharingOptOut: 1 }] }, false, false],
  ['Global Privacy Control', { usnat: [{ SaleOptOut: 2 }, { Gpc: true }] }, false, false],
  ['an opt-out that is a string', { usnat: { SaleOptOut: '1' } }, false, false],
  ['Global Privacy Control that is a string', { usnat: [{ SaleOptOut: 2 }, { Gpc: 'true' }] }, false, false],
  ['an empty US section', { usnat: [{}] }, false, false],
  ['a US section that was not parsed', { usnat: 'BVVqAAAAAAA.QA' }, false, false],
  ['a European list of numbers without the second', { tcfeuv2: { PurposeConsents: [1, 3, 4] } }, false, true],
  ['an opt-out in uspv1', { uspv1: '1YYN' }, false, false],
  ['no opt-out in uspv1', { uspv1: '1YNN' }, true, true],
  ['an unknown section', { moonv1: {} }, false, false],
  [
    'one section that allows and one that does not',
    { usnat: { SaleOptOut: 2 }, usva: [{ TargetedAdvertisingOptOut: 1 }] },
    false,
    false,
  ],
])('GPP: %s', (_, parsedSections, ads, storage) => {
  const decided = vi.fn();
  vi.stubGlobal('__gpp', (__: string, report: (data: object) => void) => {
    report({ pingData: { signalStatus: 'not ready', parsedSections: {} } });
    report({ pingData: { signalStatus: 'ready', parsedSections } });
  });
  void ask('gpp', decided, new AbortController().signal);
  expect(decided.mock.calls).toEqual([[ads, ads && storage]]);
});

test('with several signals, all of them must allow ads', () => {
  const decided = vi.fn();
  let choose: (data: object) => void = () => undefined;
  vi.stubGlobal('__tcfapi', (_: string, __: number, callback: typeof choose) => {
    choose = callback;
  });
  vi.stubGlobal('navigator', { globalPrivacyControl: false });
  void ask('tcf gpc', decided, new AbortController().signal);
  expect(decided).not.toHaveBeenCalled();
  choose({ eventStatus: 'useractioncomplete', purpose: { consents: { 1: true, 2: true } } });
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  const refused = vi.fn();
  void ask('gpc tcf', refused, new AbortController().signal);
  choose({ eventStatus: 'useractioncomplete', purpose: { consents: { 1: true, 2: true } } });
  expect([decided.mock.calls, refused.mock.calls]).toEqual([[[true, true]], [[false, false]]]);
});

test('a missing consent platform is reported once; one that loads late still counts', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const decided = vi.fn();
  void ask('tcf', decided, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5000);
  expect(said).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said.mock.calls).toEqual([[expect.stringContaining('window.__tcfapi')]]);
  vi.stubGlobal('__tcfapi', (_: string, __: number, report: (data: object) => void) => report({ gdprApplies: false }));
  await vi.advanceTimersByTimeAsync(300);
  expect(decided.mock.calls).toEqual([[true, true]]);
  said.mockRestore();
});

/** A platform with the two commands of TCF, or of GPP, whose callback is the second argument. */
function platform(position: number) {
  const listeners = new Map<number, (data: object | null, success?: boolean) => void>();
  const api = (command: string, ...rest: unknown[]): void => {
    if (command === 'addEventListener') {
      const listener = rest[position] as (data: object | null) => void;
      const listenerId = listeners.size;
      listeners.set(listenerId, listener);
      listener({ listenerId, eventStatus: 'cmpuishown', pingData: { signalStatus: 'not ready' } });
    } else listeners.delete(rest[position + 1] as number);
  };
  return { api, listeners };
}

test.each([
  ['tcf', '__tcfapi', 1],
  ['gpp', '__gpp', 0],
] as const)('%s: a client that is destroyed leaves no listener on the platform', (signal, name, position) => {
  const { api, listeners } = platform(position);
  vi.stubGlobal(name, api);
  const clients = Array.from({ length: 50 }, () => new AbortController());
  for (const client of clients) void ask(signal, vi.fn(), client.signal);
  expect(listeners.size).toBe(50);
  for (const client of clients) client.abort();
  expect(listeners.size).toBe(0);
});

test.each([
  ['tcf', '__tcfapi', 1],
  ['gpp', '__gpp', 0],
] as const)('%s: a callback without data is ignored', (signal, name, position) => {
  const { api, listeners } = platform(position);
  vi.stubGlobal(name, api);
  const decided = vi.fn();
  void ask(signal, decided, new AbortController().signal);
  for (const listener of listeners.values()) expect(() => listener(null, false)).not.toThrow();
  expect(decided).not.toHaveBeenCalled();
});
