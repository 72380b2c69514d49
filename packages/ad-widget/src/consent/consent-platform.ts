import { after } from '../timer.ts';
import type { Consent, Decide, Signal } from './consent.ts';

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
/** What a choice allows: ads, and storing something for them. */
interface Allowed {
  readonly ads: boolean;
  readonly storage: boolean;
}

interface EuropeanSegment {
  readonly PurposeConsents?: readonly unknown[];
  readonly PurposeLegitimateInterests?: readonly unknown[];
}

type Page = Window & { __tcfapi?: Api<TcfData>; __gpp?: Api<GppEvent> };

/** Milliseconds between checks for a consent platform that has not loaded yet. */
const LOOK_AGAIN = 300;
/** Checks after which the console names the missing platform. */
const PATIENCE = 20;

/** In a US section a 1 in one of these fields means "opted out"; some platforms write it as a string. */
const OPTED_OUT = /"((Sale|Sharing|TargetedAdvertising)OptOut|Gpc)":"?(true|1)/i;

const SIGNALS = ['tcf', 'gpp', 'gpc'];

/**
 * Calls the page's own function once. Otherwise listens to the page's consent platforms, and to the browser for `gpc`:
 * once all of them have answered, calls `decided` after every choice of the reader.
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
  const words = [...new Set(consent.trim().split(/\s+/))];
  if (words.some((word) => !SIGNALS.includes(word))) {
    console.warn(
      `broadsheet: unknown consent "${consent}"; use "wait" or any of ${SIGNALS.join(', ')}; no ad is requested`,
    );
    return;
  }
  const answers = new Map<string, Allowed>();
  for (const word of words) {
    listen(
      word as Signal,
      (allowed) => {
        answers.set(word, allowed);
        if (signal.aborted || answers.size < words.length) return;
        const { ads, storage } = allOf([...answers.values()]);
        decided(ads, storage);
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
        `broadsheet: no ad is requested: consent "${kind}" needs a consent platform, but the page has no window.${name}; load one, or change data-consent`,
      );
    }
    after(LOOK_AGAIN, () => listen(kind, report, signal, looks + 1));
  }
}

/** What all sections of a GPP string allow together. Without sections, or with an unknown or empty one: nothing. */
function readSections(sections: Readonly<Record<string, unknown>> = {}): Allowed {
  const read = Object.entries(sections).map(([name, section]) => readSection(name, section));
  return read.length ? allOf(read) : { ads: false, storage: false };
}

function allOf(choices: readonly Allowed[]): Allowed {
  return {
    ads: choices.every(({ ads }) => ads),
    storage: choices.every(({ ads, storage }) => ads && storage),
  };
}

function readSection(name: string, section: unknown): Allowed {
  // A section is one segment or a list of them.
  const segments: readonly unknown[] = Array.isArray(section) ? section : [section];
  if (name === 'tcfeuv2') {
    const { PurposeConsents = [], PurposeLegitimateInterests = [] }: EuropeanSegment = Object.assign({}, ...segments);
    return {
      ads: isSet(PurposeConsents[1]) || isSet(PurposeLegitimateInterests[1]),
      storage: isSet(PurposeConsents[0]),
    };
  }
  let allowed = false;
  if (name === 'uspv1') allowed = typeof section === 'string' && /^1.[^Y]/i.test(section);
  else if (/^us(nat|[a-z]{2})$/.test(name)) {
    allowed = segments.some(hasFields) && !OPTED_OUT.test(JSON.stringify(segments));
  }
  return { ads: allowed, storage: allowed };
}

/** One bit of a field. A number of two or more is not a bit and means something else. */
function isSet(bit: unknown): boolean {
  return bit === true || bit === 1;
}

function hasFields(segment: unknown): boolean {
  return typeof segment === 'object' && segment !== null && Object.keys(segment).length > 0;
}
