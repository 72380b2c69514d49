import type { Consent, Decide } from './consent.ts';

/** Calls `decided` with the answer, and again whenever it changes. Until then nothing is asked for. */
export function watchConsent(consent: Consent, decided: Decide, signal: AbortSignal): void {
  if (typeof consent === 'boolean' || consent === 'wait') decided(consent === true);
  else {
    import('./consent-platform.ts').then(({ ask }) => ask(consent, decided, signal)).catch(() => decided(false));
  }
}
