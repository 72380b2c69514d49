import { type Around, buffered } from '@broadsheet/core';
import type { BodyStream } from '../doors/answer.ts';
import type { Target } from '../faults/fault.ts';
import type { Lens, Point } from './lens.ts';

/** Which lens lies over which endpoint. */
export interface LensBook {
  readonly lenses: ReadonlyMap<Target, Lens | Point>;
  set(target: Target, lens: Lens | Point | undefined): void;
  /** Shows a success, or a validation error of an unwrapped search, through the lens; anything else as it is. */
  readonly render: Around<BodyStream>;
  clear(): void;
}

/** Creates a book without lenses. */
export function createLensBook(): LensBook {
  const lenses = new Map<Target, Lens | Point>();
  return {
    lenses,
    set(target, lens) {
      if (lens) lenses.set(target, lens);
      else lenses.delete(target);
    },
    async render({ endpoint }, next) {
      const lens = endpoint && (lenses.get(endpoint) ?? lenses.get('*'));
      if (!lens) return next();
      const answer = buffered(await next());
      // Most tests look through no lens, and pages should not load what they do not use.
      const { throughLens } = await import('./late.ts');
      return throughLens(lens, endpoint, answer);
    },
    clear: () => lenses.clear(),
  };
}
