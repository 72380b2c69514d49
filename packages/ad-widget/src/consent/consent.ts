/** What can say whether the reader allows ads. */
export type Signal = 'tcf' | 'gpp' | 'gpc';

/**
 * When ads may be bought.
 *
 * - `true` (default): always. `false` or `'wait'`: not before `ads.consent(true)`.
 * - `'tcf'`: IAB TCF 2: after the reader's choice, if purpose 2 (basic ads) is allowed or the GDPR does not apply. With
 *   purpose 1 refused nothing is stored: clicks have no journal, and there are no popups.
 * - `'gpp'`: IAB GPP: once ready, if every section of it allows: the European one as TCF does, those of the United States
 *   unless the reader opted out of sale, sharing or targeted advertising or sends Global Privacy Control. No section, an
 *   empty one, and any other one, is no.
 * - `'gpc'`: unless the browser sends Global Privacy Control.
 * - several of these words (`'tcf gpc'`): all of them must allow.
 * - a function: its answer, a promise of it included.
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
