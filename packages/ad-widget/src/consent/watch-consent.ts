import type { Consent } from './consent.ts';

/**
 * What the reader allows: that ads are delivered, and that something is stored (the same, unless the platform tells
 * them apart).
 */
export type Decide = (ads: boolean, storage?: boolean) => void;

/** Calls `decided` with the answer, and again whenever it changes. Until then nothing is asked for. */
export function watchConsent(consent: Consent, decided: Decide, signal: AbortSignal): void {
  if (typeof consent === 'boolean' || consent === 'wait') decided(consent === true);
  else {
    import('./consent-platform.ts').then(({ ask }) => ask(consent, decided, signal)).catch(() => decided(false));
  }
}
