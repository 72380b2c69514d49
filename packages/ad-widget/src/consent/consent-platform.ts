import { after } from '../timer.ts';
import type { Consent, Decide, Signal } from './consent.ts';
import { type Allowed, readSections } from './gpp.ts';

type Api<Data> = (
  command: 'addEventListener',
  version: 2 | ((data: Data) => void),
  callback?: (data: Data) => void,
) => void;
interface TcfData {
  eventStatus?: string;
  gdprApplies?: boolean;
  purpose?: { consents?: Record<number, boolean>; legitimateInterests?: Record<number, boolean> };
}
interface GppEvent {
  pingData?: { signalStatus?: string; parsedSections?: Record<string, unknown> };
}
type Page = Window & { __tcfapi?: Api<TcfData>; __gpp?: Api<GppEvent> };

/** Milliseconds between looks for a consent platform that has not loaded yet. */
const LOOK_AGAIN = 300;
/** Looks after which the console says what is waited for. */
const PATIENCE = 20;

const SIGNALS = ['tcf', 'gpp', 'gpc'];

/**
 * Asks the page's own function once; or listens to its consent platforms, and to the browser for `gpc`, and calls
 * `decided` after every choice of the reader, once all of them have answered.
 */
export async function ask(
  consent: Exclude<Consent, boolean | 'wait'>,
  decided: Decide,
  signal: AbortSignal,
): Promise<void> {
  if (typeof consent === 'function') {
    const granted = await consent();
    if (!signal.aborted) decided(granted);
    return;
  }
  const words = consent.trim().split(/\s+/);
  const unknown = words.filter((word) => !SIGNALS.includes(word));
  if (unknown.length) {
    console.warn(
      `broadsheet: consent "${consent}" is not "wait", nor made of ${SIGNALS.join(', ')}; no ad is asked for`,
    );
    return;
  }
  const answers = new Map<string, Allowed>();
  for (const word of words) {
    listen(
      word as Signal,
      (allowed) => {
        answers.set(word, allowed);
        if (signal.aborted || answers.size < new Set(words).size) return;
        const all = [...answers.values()];
        decided(
          all.every(({ ads }) => ads),
          all.every(({ ads, storage }) => ads && storage),
        );
      },
      signal,
    );
  }
}

function listen(kind: Signal, report: (allowed: Allowed) => void, signal: AbortSignal, looks = 1): void {
  const page: Page = window;
  if (signal.aborted) return;
  if (kind === 'gpc') {
    const allowed = !('globalPrivacyControl' in navigator && navigator.globalPrivacyControl);
    report({ ads: allowed, storage: allowed });
  } else if (kind === 'tcf' && page.__tcfapi) {
    page.__tcfapi('addEventListener', 2, ({ gdprApplies, eventStatus = '', purpose = {} }) => {
      const { consents, legitimateInterests } = purpose;
      if (gdprApplies === false) report({ ads: true, storage: true });
      else if (/^(tcloaded|useractioncomplete)$/.test(eventStatus)) {
        report({ ads: !!(consents?.[2] || legitimateInterests?.[2]), storage: !!consents?.[1] });
      }
    });
  } else if (kind === 'gpp' && page.__gpp) {
    page.__gpp('addEventListener', ({ pingData }) => {
      if (pingData?.signalStatus === 'ready') report(readSections(pingData.parsedSections));
    });
  } else {
    if (looks === PATIENCE) {
      const name = kind === 'tcf' ? '__tcfapi' : '__gpp';
      console.warn(
        `broadsheet: no ad is asked for, as consent "${kind}" waits for a consent platform and the page has no window.${name}; load one, or change data-consent`,
      );
    }
    after(LOOK_AGAIN, () => listen(kind, report, signal, looks + 1));
  }
}
