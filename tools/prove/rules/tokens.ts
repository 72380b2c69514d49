import { claimsOf } from '../tokens.ts';
import { each, type Rule } from './rule.ts';

export const TOKENS: readonly Rule[] = [
  {
    promise: 'a token has one 200',
    check: each(
      ({ of }) => [...Map.groupBy(of('click'), ({ token }) => claimsOf(token).id)],
      ([id, clicks]) => {
        const successful = clicks.filter(({ outcome }) => outcome === 'ok');
        return successful.length > 1 ? { text: id, entries: successful } : undefined;
      },
    ),
  },
];
