import type { MessageEntry } from '../history.ts';
import { type BlogHistory, each, type Of, type Rule, SKEW } from './rule.ts';

/** A message is given up after its first attempt and six retries. The nemesis lets the days pass that these take. */
const ATTEMPTS = 7;

/** The messages about one post, or the commands that changed it. */
const perPost = <Item>(items: readonly Item[], postOf: (item: Item) => string | undefined): [string, Item[]][] =>
  [...Map.groupBy(items, postOf)].flatMap(([post, own]) => (post === undefined ? [] : [[post, own]]));

/** No message about a post arrives for the first time after a newer one. */
const inOrder: Rule['check'] = each(
  ({ of }) =>
    perPost(
      of('message').filter(({ status }) => status === 200),
      ({ subject }) => subject,
    ),
  ([subject, messages]) => {
    let newest: MessageEntry | undefined;
    const seen = new Set<string>();
    for (const message of messages.toSorted((a, b) => a.start - b.start)) {
      const isLate = newest !== undefined && message.changed < newest.changed && !seen.has(message.id);
      if (isLate && newest) return { text: subject, entries: [newest, message] };
      seen.add(message.id);
      if (!newest || message.changed > newest.changed) newest = message;
    }
    return undefined;
  },
);

/** The commands that changed one post, up to the last that was acknowledged. */
function settledChanges({ of }: BlogHistory): [string, Of<'command'>[]][] {
  return perPost(of('command'), ({ post }) => post).flatMap(([post, own]): [string, Of<'command'>[]][] => {
    const until = own.slice(0, own.findLastIndex(({ outcome }) => outcome === 'ok') + 1);
    return until.length > 0 ? [[post, until]] : [];
  });
}

const arrives: Rule['check'] = each(settledChanges, ([post, changes], { of }) => {
  const last = changes.at(-1) as Of<'command'>;
  // If a command repeats one whose response was lost, it may change nothing. The message is then about the first
  // command.
  const [first = last] = changes.slice(changes.findLastIndex(({ version }) => version !== last.version) + 1);
  const attempts = of('message').filter(({ subject, changed }) => subject === post && changed >= first.from - SKEW);
  if (attempts.length >= ATTEMPTS || attempts.some(({ status }) => status === 200)) return undefined;
  return { text: `${post}: nothing about its last change`, entries: [last] };
});

export const MESSAGES: readonly Rule[] = [
  { promise: 'messages about a post arrive in order', check: inOrder },
  { promise: 'every webhook arrives', check: arrives },
];
