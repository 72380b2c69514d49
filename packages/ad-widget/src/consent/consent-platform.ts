import { after } from '../timer.ts';

/** A source of the reader's consent. */
type Signal = 'tcf' | 'gpp' | 'gpc';

/**
 * When ads may be requested.
 *
 * - `true` (default): always. `false` or `'wait'`: not before `ads.consent(true)`.
 * - `'tcf'`: IAB TCF 2: after the reader's choice, if purpose 2 (basic ads) is allowed or the GDPR does not apply. If
 *   purpose 1 is refused, nothing is stored: clicks have no journal, and there are no popups.
 * - `'gpp'`: IAB GPP: once ready, if every section allows ads: the European one by the rules of TCF, US sections unless
 *   the reader opted out of sale, sharing or targeted advertising or sends Global Privacy Control. No section, an empty
 *   one or any other section means no consent.
 * - `'gpc'`: unless the browser sends Global Privacy Control.
 * - several of these words (`'tcf gpc'`): all of them must allow ads.
 * - a function: its result, which may be a promise.
 */
export type Consent =
  | boolean
  | 'wait'
  | Signal
  | `${Signal} ${Signal}`
  | `${Signal} ${Signal} ${Signal}`
  | (() => boolean | Promise<boolean>);

/** What a choice allows: ads, and storing something for them. */
type Allowed = { readonly ads: boolean; readonly storage: boolean };

/** A report of a platform. The first line is common to TCF and GPP; the other fields belong to one of them. */
interface Report {
  listenerId?: number;
  eventStatus?: string;
  gdprApplies?: boolean;
  purpose?: { consents?: Record<number, boolean>; legitimateInterests?: Record<number, boolean> };
  pingData?: { signalStatus?: string; parsedSections?: Record<string, unknown> };
}

interface Platform {
  /** The global function. It takes a command, the version if the platform has versions, a callback and an id. */
  readonly name: string;
  readonly version: readonly number[];
  /** What a report allows; `undefined` before the reader's choice. */
  read(report: Report): Allowed | undefined;
}

const PLATFORMS: Readonly<Record<string, Platform>> = {
  tcf: { name: '__tcfapi', version: [2], read: readTcf },
  gpp: { name: '__gpp', version: [], read: readGpp },
};

/** Milliseconds between checks for a platform that has not loaded, and how many precede the warning. */
const LOOK_AGAIN = 300;
const PATIENCE = 20;

/** In a US section a 1 in one of these fields means "opted out"; some platforms write it as a string. */
const OPTED_OUT = /"((Sale|Sharing|TargetedAdvertising)OptOut|Gpc)":"?(true|1)/i;

/**
 * Calls the page's own function once, or listens to the page's consent platforms and the browser. Once all of them have
 * responded, calls `decided` after every choice of the reader.
 */
export async function ask(
  consent: Exclude<Consent, true>,
  decided: (ads: boolean, storage?: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!consent || consent === 'wait') return;
  if (typeof consent === 'function') {
    const granted = await consent();
    if (!signal.aborted) decided(granted);
    return;
  }
  const words = new Set(consent.trim().split(/\s+/));
  const responses = new Map<string, Allowed>();
  for (const word of words) {
    const report = (allowed: Allowed): void => {
      responses.set(word, allowed);
      if (signal.aborted || responses.size < words.size) return;
      const { ads, storage } = allOf([...responses.values()]);
      decided(ads, storage);
    };
    const platform = PLATFORMS[word];
    if (platform) listen(platform, report, signal);
    else if (word === 'gpc') report(both(!('globalPrivacyControl' in navigator && navigator.globalPrivacyControl)));
    else console.warn(`broadsheet: unknown consent "${word}"; use "wait" or any of tcf, gpp, gpc; no ad is requested`);
  }
}

/** Listens to a platform until `signal` is aborted, as soon as the page has it. */
function listen(platform: Platform, report: (allowed: Allowed) => void, signal: AbortSignal, looks = 1): void {
  const { name, version, read } = platform;
  const call = (window as unknown as Record<string, ((...values: unknown[]) => void) | undefined>)[name];
  if (signal.aborted) return;
  if (!call) {
    const advice = `the page has no window.${name}; load a consent platform, or change data-consent`;
    if (looks === PATIENCE) console.warn(`broadsheet: no ad is requested: ${advice}`);
    return void after(LOOK_AGAIN, () => listen(platform, report, signal, looks + 1));
  }
  let isKnown = false;
  // Platforms call back without data when they do not support a command.
  call('addEventListener', ...version, (data: Report | null | undefined) => {
    if (!data) return;
    const stop = (): void => call('removeEventListener', ...version, () => {}, data.listenerId);
    if (signal.aborted) return stop();
    if (!isKnown) signal.addEventListener('abort', stop);
    isKnown = true;
    const allowed = read(data);
    if (allowed) report(allowed);
  });
}

function readTcf({ gdprApplies, eventStatus = '', purpose = {} }: Report): Allowed | undefined {
  if (gdprApplies === false) return both(true);
  if (!/^(tcloaded|useractioncomplete)$/.test(eventStatus)) return undefined;
  const { consents, legitimateInterests } = purpose;
  return { ads: !!(consents?.[2] || legitimateInterests?.[2]), storage: !!consents?.[1] };
}

/** What all sections of a GPP string allow together: nothing without sections, or with an unknown or empty section. */
function readGpp({ pingData }: Report): Allowed | undefined {
  if (pingData?.signalStatus !== 'ready') return undefined;
  const sections = Object.entries(pingData.parsedSections ?? {});
  return sections.length ? allOf(sections.map(readSection)) : both(false);
}

function readSection([name, section]: [string, unknown]): Allowed {
  // A section is one segment or a list of them.
  const segments: readonly unknown[] = Array.isArray(section) ? section : [section];
  if (name === 'tcfeuv2') {
    const european: Record<string, unknown[] | undefined> = Object.assign({}, ...segments);
    // One bit of a field. A number of two or more is not a bit, so it has another meaning.
    const isSet = (field: string, index: number): boolean => [true, 1].includes(european[field]?.[index] as boolean);
    const ads = isSet('PurposeConsents', 1) || isSet('PurposeLegitimateInterests', 1);
    return { ads, storage: isSet('PurposeConsents', 0) };
  }
  if (name === 'uspv1') return both(typeof section === 'string' && /^1.[^Y]/i.test(section));
  const hasFields = segments.some((segment) => typeof segment === 'object' && Object.keys(segment ?? {}).length > 0);
  return both(/^us(nat|[a-z]{2})$/.test(name) && hasFields && !OPTED_OUT.test(JSON.stringify(segments)));
}

const both = (allowed: boolean): Allowed => ({ ads: allowed, storage: allowed });

const allOf = (choices: readonly Allowed[]): Allowed => ({
  ads: choices.every(({ ads }) => ads),
  storage: choices.every(({ ads, storage }) => ads && storage),
});
