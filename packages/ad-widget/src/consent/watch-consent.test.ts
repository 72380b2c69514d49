import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Consent } from './consent.ts';
import { ask } from './consent-platform.ts';
import { watchConsent } from './watch-consent.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each<[Consent, boolean]>([
  [true, true],
  [false, false],
  ['wait', false],
  [() => Promise.resolve(true), true],
  [() => Promise.reject(new Error('no')), false],
  [
    () => {
      throw new Error('no');
    },
    false,
  ],
])('%s is answered with %s', async (consent, granted) => {
  const decided = vi.fn();
  watchConsent(consent, decided, new AbortController().signal);
  await vi.waitFor(() => expect(decided.mock.calls).toEqual([[granted]]));
});

test('a word that is none of ours is no consent, and the console says so', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const decided = vi.fn();
  watchConsent('yes' as Consent, decided, new AbortController().signal);
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith(expect.stringContaining('"yes"')));
  expect(decided).not.toHaveBeenCalled();
  said.mockRestore();
});

test('TCF: waits for the platform and the choice, then follows purpose 2', async () => {
  const decided = vi.fn();
  void ask('tcf', decided, new AbortController().signal);
  let tell: (data: object) => void = () => undefined;
  vi.stubGlobal('__tcfapi', (_: string, __: number, callback: typeof tell) => {
    tell = callback;
  });
  await vi.advanceTimersByTimeAsync(1000);
  tell({ eventStatus: 'cmpuishown', gdprApplies: true });
  expect(decided).not.toHaveBeenCalled();
  tell({ eventStatus: 'useractioncomplete', gdprApplies: true, purpose: { consents: { 1: true } } });
  tell({ eventStatus: 'useractioncomplete', gdprApplies: true, purpose: { consents: { 2: true } } });
  tell({ gdprApplies: false });
  expect(decided.mock.calls).toEqual([[false], [true], [true]]);
});

test('GPP: an opt-out in any section is no', () => {
  const decided = vi.fn();
  let tell: (data: object) => void = () => undefined;
  vi.stubGlobal('__gpp', (_: string, callback: typeof tell) => {
    tell = callback;
  });
  void ask('gpp', decided, new AbortController().signal);
  tell({ pingData: { signalStatus: 'not ready', parsedSections: {} } });
  tell({ pingData: { signalStatus: 'ready', parsedSections: { usnat: [{ SaleOptOut: 2 }] } } });
  tell({ pingData: { signalStatus: 'ready', parsedSections: { usca: [{ SharingOptOut: 1 }] } } });
  expect(decided.mock.calls).toEqual([[true], [false]]);
});

test('a consent platform that does not come is named once; one that comes late is still heard', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const decided = vi.fn();
  void ask('tcf', decided, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5000);
  expect(said).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said.mock.calls).toEqual([[expect.stringContaining('window.__tcfapi')]]);
  vi.stubGlobal('__tcfapi', (_: string, __: number, tell: (data: object) => void) => tell({ gdprApplies: false }));
  await vi.advanceTimersByTimeAsync(300);
  expect(decided.mock.calls).toEqual([[true]]);
  said.mockRestore();
});
