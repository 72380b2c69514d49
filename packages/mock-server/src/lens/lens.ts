import { ENDPOINTS, type Endpoint, type EndpointId, MESSAGES } from '@broadsheet/contract';
import { createRandom } from '../data/random.ts';
import { rewrite, type Twist } from './rewrite.ts';
import { unwrap } from './unwrapped.ts';

/**
 * The same data as another legal answer: `sparse` has nothing it may leave out and null where it may; `maximal` leaves
 * nothing out; `hostile` holds text that breaks layouts and parsers; `unwrapped` has no success envelope (api.md 4.8).
 */
export const LENSES = ['sparse', 'maximal', 'hostile', 'unwrapped'] as const;
/** The name of a lens. */
export type LensName = (typeof LENSES)[number];

/** A lens taken apart: what `mock.fuzz` mixes. */
export interface Mixture {
  readonly twists: readonly Twist[];
  readonly unwrapped: boolean;
  readonly seed: number;
  /** Every n-th place is touched; 1 touches all of them. */
  readonly oneIn: number;
}

/** A lens by name, or a mixture. */
export type Lens = LensName | Mixture;

const MIXTURES: Readonly<Record<LensName, Mixture>> = {
  sparse: { twists: ['absent', 'null'], unwrapped: false, seed: 0, oneIn: 1 },
  maximal: { twists: ['filled'], unwrapped: false, seed: 0, oneIn: 1 },
  hostile: { twists: ['rtl', 'astral', 'html', 'huge'], unwrapped: false, seed: 0, oneIn: 1 },
  unwrapped: { twists: [], unwrapped: true, seed: 0, oneIn: 1 },
};

/** An answer through a lens. */
export function applyLens(lens: Lens, id: EndpointId, status: number, body: unknown): unknown {
  const { twists, unwrapped, seed, oneIn } = typeof lens === 'string' ? MIXTURES[lens] : lens;
  const random = createRandom(`lens ${seed} ${id}`);
  const seen =
    status < 400 && twists.length > 0
      ? retold(id, body, (value) => rewrite(MESSAGES[id].data, value, { twists, random, oneIn }))
      : body;
  return unwrapped ? unwrap(id, status, seen) : seen;
}

function retold(id: EndpointId, body: unknown, tell: (data: unknown) => unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  return endpoint.form === 'bare' ? tell(body) : { ...(body as object), data: tell((body as { data: unknown }).data) };
}
