import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import type { createRandom, hash } from '../data/random.ts';
import type { jsonOf, WorldAnswer } from '../doors/answer.ts';
import type { ChosenOddities, Lens, LensName, Mixture, Mutation } from './lens.ts';
import { chosen, fieldOddity, pointOf, UNWRAPPED } from './oddities.ts';
import { type Mutator, rewrite } from './rewrite.ts';
import { unwrap } from './unwrapped.ts';

const MIXTURES: Readonly<Record<LensName, Mixture>> = {
  sparse: { mutations: ['absent', 'null'], unwrapped: false, seed: 0, oneIn: 1 },
  maximal: { mutations: ['filled'], unwrapped: false, seed: 0, oneIn: 1 },
  hostile: { mutations: ['rtl', 'astral', 'html', 'huge'], unwrapped: false, seed: 0, oneIn: 1 },
  unwrapped: { mutations: [], unwrapped: true, seed: 0, oneIn: 1 },
};

/** Chance, given by the caller: a page has it loaded already. */
export interface Chance {
  readonly createRandom: typeof createRandom;
  readonly hash: typeof hash;
}

/** A success, or a validation error of an unwrapped search, through a lens; anything else as it is. */
export function throughLens(
  lens: Lens | ChosenOddities,
  id: EndpointId,
  answer: WorldAnswer,
  { jsonOf: read, ...chance }: Chance & { readonly jsonOf: typeof jsonOf },
): WorldAnswer {
  const body = read(answer);
  if (body === undefined) return answer;
  // The tag names the answer of the API, not what a lens made of it.
  const { etag: _, ...headers } = answer.headers;
  const seen = applyLens(lens, { id, status: answer.status, body }, chance);
  return { status: answer.status, headers, body: JSON.stringify(seen) };
}

function applyLens(
  lens: Lens | ChosenOddities,
  { id, status, body }: { readonly id: EndpointId; readonly status: number; readonly body: unknown },
  chance: Chance,
): unknown {
  const choice = choiceOf(lens, chance);
  const mutator: Mutator = {
    chooses: (path, mutation) => choice.chooses(fieldOddity(id, path, mutation)),
    applied: (path, mutation) => choice.applied?.(fieldOddity(id, path, mutation)),
  };
  const seen = status < 400 ? mapData(id, body, (value) => rewrite(MESSAGES[id].data, value, mutator)) : body;
  if (!choice.chooses(UNWRAPPED)) return seen;
  choice.applied?.(UNWRAPPED);
  return unwrap(id, status, seen);
}

/** What a lens does to which field. */
export function choiceOf(lens: Lens | ChosenOddities, chance: Chance): ChosenOddities {
  if (typeof lens === 'string') return mixed(MIXTURES[lens], chance);
  if ('chooses' in lens) return lens;
  if (!('fuzz' in lens)) return mixed(lens, chance);
  const { oddities, mixture } = pointOf(lens.fuzz, chance.createRandom);
  const [listed, drawn] = [chosen(oddities), mixture && mixed(mixture, chance)];
  return { chooses: (oddity) => listed.chooses(oddity) || drawn?.chooses(oddity) === true };
}

/** By chance, but of the field alone: however often it is asked for, and after whatever else, it is the same. */
function mixed({ mutations, unwrapped, seed, oneIn }: Mixture, { hash }: Chance): ChosenOddities {
  return {
    chooses(oddity) {
      if (oddity === UNWRAPPED) return unwrapped;
      const mutation = oddity.slice(oddity.lastIndexOf(' ') + 1) as Mutation;
      if (!mutations.includes(mutation)) return false;
      // The low bits of the hash repeat.
      return (hash(`${seed} ${oddity}`) >>> 8) % oneIn === 0;
    },
  };
}

function mapData(id: EndpointId, body: unknown, map: (data: unknown) => unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  return endpoint.form === 'bare' ? map(body) : { ...(body as object), data: map((body as { data: unknown }).data) };
}
