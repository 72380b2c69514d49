import { clickOperations, createClickTokens } from './ads/click.ts';
import { deliveryOperations } from './ads/delivery.ts';
import { createViewableCounter } from './ads/viewable.ts';
import type { Operations } from './calls/operations.ts';
import { createPreviewFinder, type Previewed } from './content/preview.ts';
import type { ApiRequest } from './http/request.ts';
import type { Ports } from './ports.ts';
import type { FindBlog } from './store.ts';

/** The parts of an API that sign or verify tokens. A program may load them with the first request that needs them. */
export interface Signing {
  readonly operations: Pick<Operations, Extract<keyof Operations, `ads.${string}`>>;
  /** Counts the ads that a page reports as viewable. */
  countViewable(request: ApiRequest): Promise<void>;
  /** @throws ApiError `UNAUTHORIZED` */
  findPreview(request: ApiRequest): Promise<Previewed>;
}

/** Creates the parts of an API that deliver ads, count them and show previews. */
export function createSigning(ports: Ports, findBlog: FindBlog): Signing {
  const tokens = createClickTokens(ports.hmac);
  return {
    operations: { ...deliveryOperations(ports, tokens), ...clickOperations(ports, tokens) },
    countViewable: createViewableCounter(ports, tokens),
    findPreview: createPreviewFinder(ports, findBlog),
  };
}
