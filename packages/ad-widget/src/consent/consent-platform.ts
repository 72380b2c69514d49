import type { Consent } from './consent.ts';

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

/**
 * Asks the page's own function once; or listens to its consent platform, or to the browser for `gpc`, and calls
 * `decided` after every choice of the reader.
 */
export async function ask(
  kind: Exclude<Consent, boolean | 'wait'>,
  decided: (granted: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const page: Page = window;
  const report = (granted: boolean): void => {
    if (!signal.aborted) decided(granted);
  };
  const listen = (looks = 1): void => {
    if (signal.aborted) return;
    if (kind === 'tcf' && page.__tcfapi) {
      page.__tcfapi('addEventListener', 2, ({ gdprApplies, eventStatus = '', purpose = {} }) => {
        if (gdprApplies === false) report(true);
        else if (/^(tcloaded|useractioncomplete)$/.test(eventStatus)) {
          report(!!(purpose.consents?.[2] || purpose.legitimateInterests?.[2]));
        }
      });
    } else if (kind === 'gpp' && page.__gpp) {
      page.__gpp('addEventListener', ({ pingData }) => {
        if (pingData?.signalStatus !== 'ready') return;
        // In every section a 1 in one of these fields is "opted out"; sections may be a list of segments.
        const sections = JSON.stringify(pingData.parsedSections ?? {});
        report(!/"(Sale|Sharing|TargetedAdvertising)OptOut":1/.test(sections));
      });
    } else {
      if (looks === PATIENCE) {
        const name = kind === 'tcf' ? '__tcfapi' : '__gpp';
        console.warn(
          `broadsheet: no ad is asked for, as consent "${kind}" waits for a consent platform and the page has no window.${name}; load one, or change data-consent`,
        );
      }
      setTimeout(listen, LOOK_AGAIN, looks + 1);
    }
  };
  if (typeof kind === 'function') report(await kind());
  else if (kind === 'gpc') report(!('globalPrivacyControl' in navigator && navigator.globalPrivacyControl));
  else if (kind === 'tcf' || kind === 'gpp') listen();
  else console.warn(`broadsheet: consent "${kind}" is not one of wait, tcf, gpp, gpc; no ad is asked for`);
}
