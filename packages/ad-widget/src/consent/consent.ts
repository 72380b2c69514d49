/**
 * When ads may be asked for.
 *
 * - `true` (default): always. `false` or `'wait'`: not before `ads.consent(true)`.
 * - `'tcf'`: IAB TCF 2: after the reader's choice, if purpose 2 (basic ads) is allowed or the GDPR does not apply.
 * - `'gpp'`: IAB GPP: once ready, unless the reader opted out of sale, sharing or targeted advertising.
 * - `'gpc'`: unless the browser sends Global Privacy Control.
 * - a function: its answer, a promise of it included.
 */
export type Consent = boolean | 'wait' | 'tcf' | 'gpp' | 'gpc' | (() => boolean | Promise<boolean>);
