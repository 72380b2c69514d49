import { claimsOf } from '../tokens.ts';
import { type Delivery, deliveriesOf } from './deliveries.ts';
import { type Change, possibleValues } from './register.ts';
import { type BlogHistory, each, type Rule } from './rule.ts';

/** The versions of a post that commands wrote; 0 while readers do not see it. */
function versionsOf({ of }: BlogHistory, post: string): Change<number>[] {
  return of('command').flatMap(({ post: changed, version, ...entry }) =>
    changed === post && version !== undefined ? [{ ...entry, value: version }] : [],
  );
}

/** The commands that pause an ad and let it run again. */
function pausesOf({ of }: BlogHistory, ad: string): Change<boolean>[] {
  return of('command').flatMap(({ ad: changed, isActive, ...entry }) =>
    changed === ad && isActive !== undefined ? [{ ...entry, value: isActive }] : [],
  );
}

/** A way of reading shows a state that each post may have had, and none that was replaced more than a second before. */
const reads = (way: string): Rule['check'] =>
  each(
    (history) =>
      history
        .of('read')
        .filter((read) => read.way === way && read.outcome === 'ok')
        .flatMap((read) => Object.entries(read.versions ?? {}).map(([post, version]) => ({ read, post, version }))),
    ({ read, post, version }, history) => {
      const possible = possibleValues(versionsOf(history, post), 1, read);
      if (possible.has(version)) return undefined;
      const text = `${history.blog.id}, ${post}: read ${version}, possible were ${[...possible].join(', ')}`;
      return { text, entries: [...history.of('command').filter((entry) => entry.post === post), read] };
    },
  );

/** Every ad that was delivered, and whether it may have been active. */
const paused: Rule['check'] = each(
  (history) =>
    history.of('delivery').flatMap((entry) =>
      entry.slots.flatMap(({ token }) => {
        const ad = token === undefined ? '' : claimsOf(token).ad;
        const pauses = pausesOf(history, ad);
        return pauses.length > 0 ? [{ entry, ad, pauses }] : [];
      }),
    ),
  ({ entry, ad, pauses }) => {
    if (possibleValues(pauses, true, entry).has(true)) return undefined;
    return { text: `${ad} was delivered more than a second after it was paused`, entries: [entry] };
  },
);

/** Every format of a delivery: one ad of each format has no campaign, so it fills a slot unless it is paused. */
const filled: Rule['check'] = each(
  (history) =>
    deliveriesOf(history).flatMap((delivery) =>
      [...Map.groupBy(delivery.slots, ({ format }) => format)].map(([format, slots]) => ({ delivery, format, slots })),
    ),
  ({ delivery, format, slots }, history) => {
    if (slots.some(({ token }) => token !== undefined)) return undefined;
    const free = freeAds(history, format);
    if (free.some((ad) => mayBePaused(history, ad, delivery))) return undefined;
    return { text: `no slot of the format ${format} was filled`, entries: delivery.entries };
  },
);

const freeAds = ({ blog }: BlogHistory, format: string): string[] =>
  Object.entries(blog.ads).flatMap(([ad, of]) => (of.format === format && !of.campaign ? ad : []));

const mayBePaused = (history: BlogHistory, ad: string, { start, end }: Delivery): boolean =>
  possibleValues(pausesOf(history, ad), true, { start, end }).has(false);

export const CHANGES: readonly Rule[] = [
  { promise: 'no read goes back in time', check: reads('post') },
  { promise: 'no list goes back in time', check: reads('list') },
  { promise: 'no search goes back in time', check: reads('search') },
  { promise: 'no 304 is about an earlier state', check: reads('etag') },
  { promise: 'a paused ad is not delivered after a second', check: paused },
  { promise: 'a slot has an ad if one must run', check: filled },
];
