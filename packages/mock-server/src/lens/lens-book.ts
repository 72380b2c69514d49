import type { EndpointId } from '@broadsheet/contract';
import type { Target } from '../faults/fault.ts';
import type { Lens } from './lens.ts';

/** Which lens lies over which endpoint. */
export interface LensBook {
  set(target: Target, lens: Lens | undefined): void;
  /** A success, or a validation error of an unwrapped search, as the lens shows it; anything else as it is. */
  render(endpoint: EndpointId, response: Response): Promise<Response>;
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
    async render(endpoint, response) {
      const lens = lenses.get(endpoint) ?? lenses.get('*');
      if (!lens || !response.headers.get('content-type')?.includes('json') || response.body === null) return response;
      // Most tests look through no lens, and pages should not load what they do not use.
      const { applyLens } = await import('./apply-lens.ts');
      const seen = applyLens(lens, endpoint, response.status, await response.json());
      const headers = new Headers(response.headers);
      // The tag names the answer of the API, not what a lens made of it.
      headers.delete('etag');
      return new Response(JSON.stringify(seen), { status: response.status, headers });
    },
    clear: () => lenses.clear(),
  };
}
