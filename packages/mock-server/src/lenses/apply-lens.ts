import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { createRandom } from '../data/random.ts';
import type { Lens, LensName, Mixture } from './lens.ts';
import { mixtureOf } from './mixture.ts';
import { MUTATIONS } from './mutations.ts';
import { rewrite } from './rewrite.ts';
import { unwrap } from './unwrapped.ts';

const MIXTURES: Readonly<Record<LensName, Mixture>> = {
  sparse: { mutations: ['absent', 'null'], unwrapped: false, seed: 0, oneIn: 1 },
  maximal: { mutations: ['filled'], unwrapped: false, seed: 0, oneIn: 1 },
  hostile: { mutations: ['rtl', 'astral', 'html', 'huge'], unwrapped: false, seed: 0, oneIn: 1 },
  unwrapped: { mutations: [], unwrapped: true, seed: 0, oneIn: 1 },
};

/** An answer through a lens. */
export function applyLens(lens: Lens, id: EndpointId, status: number, body: unknown): unknown {
  const { mutations, unwrapped, seed, oneIn } = mixture(lens);
  const random = createRandom(`lens ${seed} ${id}`);
  const seen =
    status < 400 && mutations.length > 0
      ? mapData(id, body, (value) => rewrite(MESSAGES[id].data, value, { mutations, random, oneIn }))
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
      `or { mutations, unwrapped, seed, oneIn } with mutations of ${MUTATIONS.join(', ')}`,
  );
}

// What the compiler says to those who have one.
function isMixture(lens: object): lens is Mixture {
  const { mutations, unwrapped, seed, oneIn } = lens as Partial<Mixture>;
  const knownMutations = Array.isArray(mutations) && mutations.every((mutation) => MUTATIONS.includes(mutation));
  return knownMutations && typeof unwrapped === 'boolean' && Number.isFinite(seed) && Number(oneIn) >= 1;
}

function mapData(id: EndpointId, body: unknown, map: (data: unknown) => unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  return endpoint.form === 'bare' ? map(body) : { ...(body as object), data: map((body as { data: unknown }).data) };
}
