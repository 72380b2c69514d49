/** What is read of a map that is never changed. */
export interface Lookup<V> extends Iterable<readonly [string, V]> {
  get(key: string): V | undefined;
  has(key: string): boolean;
}

/** Up to this number of entries, all are kept. */
const KEPT = 1000;

/**
 * A map that is never changed. {@link added} makes another one, which shares its entries, so that an addition costs about
 * the same however many entries there are.
 */
class LayeredMap<V> implements Lookup<V> {
  /** The oldest and largest one first. Each is larger than all after it. */
  readonly layers: readonly ReadonlyMap<string, V>[];

  constructor(layers: readonly ReadonlyMap<string, V>[]) {
    this.layers = layers;
  }

  get(key: string): V | undefined {
    return this.layers.findLast((layer) => layer.has(key))?.get(key);
  }

  has(key: string): boolean {
    return this.layers.some((layer) => layer.has(key));
  }

  [Symbol.iterator](): Iterator<readonly [string, V]> {
    return merged(this.layers)[Symbol.iterator]();
  }
}

/** The map with one more entry. Entries that are over are dropped once there are many. */
export function added<V>(map: Lookup<V>, key: string, value: V, isOver: (value: V) => boolean): Lookup<V> {
  const layers = map instanceof LayeredMap ? [...map.layers] : [new Map(map)];
  let last: ReadonlyMap<string, V> = new Map([[key, value]]);
  for (let next = layers.at(-1); next && next.size <= last.size; next = layers.at(-1)) {
    last = merged([next, last]);
    layers.pop();
  }
  if (last.size > KEPT) last = new Map([...last].filter(([, one]) => !isOver(one)));
  return new LayeredMap([...layers, last]);
}

const merged = <V>(layers: readonly ReadonlyMap<string, V>[]) => new Map(layers.flatMap((layer) => [...layer]));
