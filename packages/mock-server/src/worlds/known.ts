import { ENDPOINT_IDS } from '@broadsheet/contract';
import { DISRUPTIONS, type Disruption, type Target } from '../faults/fault.ts';
import { LENSES, type Lens } from '../lenses/lens.ts';
import type { Pace } from '../time/clock.ts';

// The compiler says all this to those who have one; tests in JavaScript and the control plane have none.

function known<T extends string>(kind: string, word: T, words: readonly T[]): T {
  if (words.includes(word)) return word;
  throw new RangeError(`there is no ${kind} ${JSON.stringify(word)}; there are ${words.join(', ')}`);
}

/** A target that there is. @throws RangeError with those there are */
export const aTarget = (target: Target): Target => known('endpoint', target, ['*', ...ENDPOINT_IDS]);

/** A disruption that there is. @throws RangeError with those there are */
export const aDisruption = (word: Disruption): Disruption => known('disruption', word, DISRUPTIONS);

/** A lens that there is. @throws RangeError with those there are */
export const aLens = (lens: Lens | undefined): Lens | undefined =>
  typeof lens === 'string' ? known('lens', lens, LENSES) : lens;

/** A pace that there is. @throws RangeError with those there are */
export const aPace = (pace: Pace = 'virtual'): Pace => known<Pace>('pace', pace, ['virtual', 'real']);
