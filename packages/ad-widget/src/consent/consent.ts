/** A source of the reader's consent. */
export type Signal = 'tcf' | 'gpp' | 'gpc';

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

/**
 * What the reader allows: that ads are delivered, and that something is stored (the same, unless the platform
 * distinguishes them).
 */
export type Decide = (ads: boolean, storage?: boolean) => void;
