import type { Profile } from './fault.ts';

/** Networks by name: latency in milliseconds, and what fails by chance. */
export const PROFILES = {
  'slow-3g': { latency: [1600, 2400] },
  'fast-3g': { latency: [400, 750] },
  '4g': { latency: [80, 250] },
  flaky: { p: 0.1, status: 503 },
  offline: { disruption: 'reset' },
} as const satisfies Record<string, Profile>;

/**
 * The name of a network: `slow-3g`, `fast-3g`, `4g`, `flaky` (one call in ten fails), `offline`.
 *
 * @example
 * ```ts
 * const name: ProfileName = 'slow-3g';
 * world.profile(name);
 * ```
 */
export type ProfileName = keyof typeof PROFILES;
