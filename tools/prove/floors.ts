import type { Entry } from './history.ts';

/** The kinds of entries, with their plural names and whether an entry is one that proves something. */
export const KINDS = [
  { kind: 'delivery', plural: 'deliveries' },
  { kind: 'click', plural: 'clicks' },
  { kind: 'beacon', plural: 'reports of viewable ads' },
  { kind: 'read', plural: 'reads' },
  { kind: 'command', plural: 'commands' },
] as const;

/**
 * What did not happen in a run although it had to: a kind of request that was never acknowledged, no webhook, or a fault
 * that was never injected. Promises that nobody tried to break are not proved.
 *
 * @param faults the faults that the deployment knows
 */
export function findMissing(entries: readonly Entry[], faults: readonly string[]): string[] {
  const happened = new Set(
    entries.map((entry) => {
      if (entry.kind === 'fault') return entry.what;
      if (entry.kind === 'message') return entry.status === 200 ? 'message' : '';
      return entry.outcome === 'ok' ? entry.kind : '';
    }),
  );
  return [
    ...KINDS.flatMap(({ kind, plural }) => (happened.has(kind) ? [] : `No ${plural} were acknowledged.`)),
    ...(happened.has('message') ? [] : ['No webhooks were received.']),
    ...faults.flatMap((what) => (happened.has(what) ? [] : `The fault "${what}" was not injected.`)),
  ];
}
