import type { EndpointId } from '@broadsheet/contract';
import type { ApiAnswer } from '@broadsheet/core';
import { jsonOf } from '../doors/answer.ts';
import type { Target } from '../faults/fault.ts';
import type { Lens } from './lens.ts';

/** Which lens lies over which endpoint. */
export interface LensBook {
  set(target: Target, lens: Lens | undefined): void;
  /** A success, or a validation error of an unwrapped search, as the lens shows it; anything else as it is. */
  render(endpoint: EndpointId, answer: ApiAnswer): Promise<ApiAnswer>;
  clear(): void;
}

/** Creates a book without lenses. */
export function createLensBook(): LensBook {
  const lenses = new Map<Target, Lens>();
  return {
    set(target, lens) {
      if (lens) lenses.set(target, lens);
      else lenses.delete(target);
    },
    async render(endpoint, answer) {
      const lens = lenses.get(endpoint) ?? lenses.get('*');
      if (!lens) return answer;
      const json = jsonOf(answer.body);
      if (json === undefined) return answer;
      // Most tests look through no lens, and pages should not load what they do not use.
      const { applyLens } = await import('./apply-lens.ts');
      const body = JSON.stringify(applyLens(lens, endpoint, answer.status, json));
      // The tag names the answer of the API, not what a lens made of it.
      const { etag: _, ...headers } = answer.headers;
      return { status: answer.status, headers, body };
    },
    clear: () => lenses.clear(),
  };
}
