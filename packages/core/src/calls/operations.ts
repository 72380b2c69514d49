import type { BodyOf, DataOf, EndpointId, MetaOf, ParamsOf, QueryOf } from '@broadsheet/contract';
import type { MaybeEncoded } from '../http/response.ts';
import type { Blog, ClickOutcome } from '../store.ts';

/** The page that sent a request, as far as its headers name it. */
export interface Provenance {
  readonly origin: string | null | undefined;
  readonly referer: string | null | undefined;
}

/** The input of an operation: a request that passed every check. */
export interface OperationInput<Id extends EndpointId> {
  readonly blog: Blog;
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** The id of the post that the preview token of the request opens. */
  readonly previewedId: string | undefined;
  readonly apiKey: string;
  /** The caller's IP address, if it is known. */
  readonly ip: string | undefined;
  readonly provenance: Provenance;
  readonly userAgent: string | null;
  /** The header `Sec-Purpose`. */
  readonly purpose: string | null;
}

/** The result of an operation, before it is encoded. */
export interface OperationResult<Id extends EndpointId> {
  readonly data: MaybeEncoded<Readonly<DataOf<Id>>>;
  readonly meta?: MetaOf<Id>;
  /** Impressions that this call counted. */
  readonly impressions?: number;
  /** Whether a delivery was counted before, under the same idempotency key. */
  readonly replayed?: boolean;
  readonly click?: ClickOutcome;
}

/** One function per row of the endpoint table. */
export type Operations = {
  readonly [Id in EndpointId]: (input: OperationInput<Id>) => Promise<OperationResult<Id>>;
};
