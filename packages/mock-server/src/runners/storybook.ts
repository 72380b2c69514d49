import type { Mock } from '../worlds/mock.ts';
import type { World, WorldOptions } from '../worlds/world.ts';

/** The part of Storybook's context that is used here. */
interface StoryContext {
  readonly id: string;
  /** The element that holds the story; a docs page may render one story in several elements. */
  readonly canvasElement?: object;
  /** Aborts when the story is left. */
  readonly abortSignal: AbortSignal;
}

/**
 * A Storybook loader that gives each story a world, in real time unless `pace` is set, and drops the world when the
 * story is left or rendered again.
 *
 * @example
 * ```ts
 * const preview = { loaders: [worldLoader(mock)] };
 * ```
 */
export function worldLoader(
  mock: Mock,
  options: Omit<WorldOptions, 'name' | 'apiKey'> = {},
): (story: StoryContext) => { readonly world: World } {
  const dropLast = new Map<unknown, () => void>();
  return ({ id, canvasElement, abortSignal }) => {
    const place = canvasElement ?? id;
    dropLast.get(place)?.();
    const world = mock.world({ pace: 'real', ...options });
    const drop = () => {
      if (dropLast.get(place) !== drop) return;
      dropLast.delete(place);
      // A story may show a loading state forever, so pending responses are not reported.
      world.reset();
      mock.drop(world);
    };
    dropLast.set(place, drop);
    abortSignal.addEventListener('abort', drop, { once: true });
    return { world };
  };
}
