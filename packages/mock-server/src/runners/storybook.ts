import type { Mock } from '../worlds/mock.ts';
import type { World, WorldOptions } from '../worlds/world.ts';

/** The part of Storybook's context that is used here. */
interface StoryAtHand {
  readonly id: string;
  /** Where the story is drawn; a page of documentation may draw one story in several places. */
  readonly canvasElement?: object;
  /** Aborts when the story is left. */
  readonly abortSignal: AbortSignal;
}

/**
 * A loader of Storybook that gives each story a world, in real time unless `pace` says otherwise, and drops it when the
 * story is left or drawn anew.
 *
 * @example
 * ```ts
 * const preview = { loaders: [worldLoader(mock)] };
 * ```
 */
export function worldLoader(
  mock: Mock,
  options: Omit<WorldOptions, 'name' | 'apiKey'> = {},
): (story: StoryAtHand) => { readonly world: World } {
  const dropLast = new Map<unknown, () => void>();
  return ({ id, canvasElement, abortSignal }) => {
    const place = canvasElement ?? id;
    dropLast.get(place)?.();
    const world = mock.world({ pace: 'real', ...options });
    const drop = () => {
      if (dropLast.get(place) !== drop) return;
      dropLast.delete(place);
      // A story may show for ever that it waits: there is nothing to report.
      world.reset();
      mock.drop(world);
    };
    dropLast.set(place, drop);
    abortSignal.addEventListener('abort', drop, { once: true });
    return { world };
  };
}
