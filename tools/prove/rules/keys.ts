import { claimsOf } from '../tokens.ts';
import { deliveriesOf } from './deliveries.ts';
import { each, type Rule, SECOND } from './rule.ts';

/** The requests with the same idempotency key, if more than one got a response. */
const repeats: Rule['check'] = each(
  (history) =>
    deliveriesOf(history)
      .map(({ entries }) => entries.filter(({ key, outcome }) => key !== undefined && outcome === 'ok'))
      .filter(({ length }) => length > 1),
  (entries) => {
    const slots = entries[0]?.slots ?? [];
    // An ad that was paused in between leaves its slot empty.
    const adsOf = (at: number) =>
      new Set(entries.flatMap(({ slots: { [at]: slot } }) => (slot?.token ? claimsOf(slot.token).ad : [])));
    const at = slots.findIndex((_, index) => adsOf(index).size > 1);
    return at < 0 ? undefined : { text: `${entries[0]?.key}, slot ${at}: ${[...adsOf(at)].join(', ')}`, entries };
  },
);

/** A key of an operator is refused once it is revoked. */
const revoked: Rule['check'] = ({ of }) => {
  const revocations = of('command').filter(({ outcome }) => outcome === 'ok');
  const later = [...of('delivery'), ...of('click'), ...of('read')].flatMap((entry) => {
    const revocation = revocations.find(({ revoked: keys }) => keys?.includes(entry.apiKey));
    return revocation && entry.start > revocation.end + SECOND ? [{ entry, revocation }] : [];
  });
  const accepted = later.filter(({ entry }) => entry.outcome === 'ok');
  return {
    chances: later.length,
    found: accepted.map(({ entry, revocation }) => ({
      text: `accepted ${Math.round(entry.start - revocation.end)} ms later`,
      entries: [revocation, entry],
    })),
  };
};

export const KEYS: readonly Rule[] = [
  { promise: 'an idempotency key has one ad for each slot', check: repeats },
  { promise: 'a revoked key is refused after a second', check: revoked },
];
