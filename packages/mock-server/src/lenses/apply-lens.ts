import { ENDPOINTS, type Endpoint, type EndpointId, type Pagination } from '@broadsheet/contract';
import { MESSAGES } from '@broadsheet/contract/schemas';
import { hash } from '../data/random.ts';
import type { WorldAnswer } from '../doors/answer.ts';
import type { ChosenOddities, Lens, LensName, Mixture, Mutation } from './lens.ts';
import { chosen, fieldOddity, pointOf, UNWRAPPED } from './oddities.ts';
import { readJson } from './read-json.ts';
import { type Mutator, rewrite } from './rewrite.ts';

const MIXTURES: Readonly<Record<LensName, Mixture>> = {
  sparse: { mutations: ['absent', 'null'], unwrapped: false, seed: 0, oneIn: 1 },
  maximal: { mutations: ['filled'], unwrapped: false, seed: 0, oneIn: 1 },
  hostile: { mutations: ['rtl', 'astral', 'html', 'huge'], unwrapped: false, seed: 0, oneIn: 1 },
  unwrapped: { mutations: [], unwrapped: true, seed: 0, oneIn: 1 },
};

/** A success, or a validation error of an unwrapped search, through a lens; any other answer as it is. */
export function throughLens(lens: Lens | ChosenOddities, id: EndpointId, answer: WorldAnswer): WorldAnswer {
  const body = readJson(answer);
  if (body === undefined) return answer;
  const { status } = answer;
  // The tag names the answer of the API, not what a lens made of it.
  const { etag: _, ...headers } = answer.headers;
  return { status, headers, body: JSON.stringify(applyLens(lens, { id, status, body })) };
}

function applyLens(
  lens: Lens | ChosenOddities,
  { id, status, body }: { readonly id: EndpointId; readonly status: number; readonly body: unknown },
): unknown {
  const choice = choiceOf(lens);
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
export function choiceOf(lens: Lens | ChosenOddities): ChosenOddities {
  if (typeof lens === 'string') return mixed(MIXTURES[lens]);
  if ('chooses' in lens) return lens;
  if (!('fuzz' in lens)) return mixed(lens);
  const { oddities, mixture } = pointOf(lens.fuzz);
  const [listed, drawn] = [chosen(oddities), mixture && mixed(mixture)];
  return { chooses: (oddity) => listed.chooses(oddity) || drawn?.chooses(oddity) === true };
}

/** By chance, but of the field alone: however often it is asked for, and after whatever else, it is the same. */
function mixed({ mutations, unwrapped, seed, oneIn }: Mixture): ChosenOddities {
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

interface Envelope {
  readonly data: unknown;
  readonly meta?: { readonly pagination: Pagination };
}

/** The variant of the content endpoints without the success envelope (api.md 4.8). */
function unwrap(id: EndpointId, status: number, body: unknown): unknown {
  const endpoint: Endpoint = ENDPOINTS[id];
  if (endpoint.form === 'bare') return body;
  if (status >= 400) {
    const { error } = body as { error: { message: string } };
    return id === 'search' && status === 400 ? { error: error.message } : body;
  }
  const { data, meta } = body as Envelope;
  if (!meta) return data;
  const { total, page, pageSize, totalPages } = meta.pagination;
  return { posts: data, total, page, pageSize, totalPages };
}
