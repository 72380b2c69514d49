import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { createRandom } from '../data/random.ts';
import type { Lens, LensName, Mixture } from './lens.ts';
import { mixtureOf } from './mixture.ts';
import { rewrite } from './rewrite.ts';
import { TWISTS } from './twists.ts';
import { unwrap } from './unwrapped.ts';

const MIXTURES: Readonly<Record<LensName, Mixture>> = {
  sparse: { twists: ['absent', 'null'], unwrapped: false, seed: 0, oneIn: 1 },
  maximal: { twists: ['filled'], unwrapped: false, seed: 0, oneIn: 1 },
  hostile: { twists: ['rtl', 'astral', 'html', 'huge'], unwrapped: false, seed: 0, oneIn: 1 },
  unwrapped: { twists: [], unwrapped: true, seed: 0, oneIn: 1 },
};

/** An answer through a lens. */
export function applyLens(lens: Lens, id: EndpointId, status: number, body: unknown): unknown {
  const { twists, unwrapped, seed, oneIn } = mixture(lens);
  const random = createRandom(`lens ${seed} ${id}`);
  const seen =
    status < 400 && twists.length > 0
      ? retold(id, body, (value) => rewrite(MESSAGES[id].data, value, { twists, random, oneIn }))
      : body;
  return unwrapped ? unwrap(id, status, seen) : seen;
}

/** What a lens does. @throws RangeError for an object that is no lens */
export function mixture(lens: Lens): Mixture {
  if (typeof lens === 'string') return MIXTURES[lens];
  if ('fuzz' in lens && ['string', 'number'].includes(typeof lens.fuzz)) return mixtureOf(lens.fuzz);
  if (isMixture(lens)) return lens;
  throw new RangeError(
    `${JSON.stringify(lens)} is no lens; write ${Object.keys(MIXTURES).join(', ')}, { fuzz: 17 }, ` +
      `or { twists, unwrapped, seed, oneIn } with twists of ${TWISTS.join(', ')}`,
  );
}

// What the compiler says to those who have one.
function isMixture(lens: object): lens is Mixture {
  const { twists, unwrapped, seed, oneIn } = lens as Partial<Mixture>;
  const knownTwists = Array.isArray(twists) && twists.every((twist) => TWISTS.includes(twist));
  return knownTwists && typeof unwrapped === 'boolean' && Number.isFinite(seed) && Number(oneIn) >= 1;
}

function retold(id: EndpointId, body: unknown, tell: (data: unknown) => unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  return endpoint.form === 'bare' ? tell(body) : { ...(body as object), data: tell((body as { data: unknown }).data) };
}
