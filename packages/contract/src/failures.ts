import type { EndpointId } from './endpoints.ts';
import type { ERRORS, ErrorCode } from './errors.ts';

/** The error codes of every endpoint. */
const ALWAYS = ['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'] as const;
/** The error codes of an endpoint that reads one item by its id. */
const ONE = ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS] as const;
/** The error codes of an endpoint that requires a body. */
const BODY = ['VALIDATION_ERROR', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', ...ALWAYS] as const;

/**
 * The error codes of each endpoint (api.md 4). They are not in the table of endpoints, because few programs need them.
 */
export const FAILURES = {
  'posts.list': ['VALIDATION_ERROR', ...ALWAYS],
  'posts.get': ONE,
  'posts.getBySlug': ONE,
  'categories.list': ALWAYS,
  'categories.get': ONE,
  'categories.posts': ONE,
  'tags.list': ALWAYS,
  'tags.get': ONE,
  'tags.posts': ONE,
  search: ['VALIDATION_ERROR', ...ALWAYS],
  'ads.deliver': ONE,
  'ads.deliverBatch': BODY,
  'ads.click': [...BODY, 'CLICK_TOKEN_INVALID', 'CLICK_TOKEN_EXPIRED', 'ORIGIN_NOT_ALLOWED', 'CLICK_TOKEN_USED'],
  'ads.impression': ALWAYS,
  preview: ['NOT_FOUND', ...ALWAYS],
} as const satisfies Record<EndpointId, readonly ErrorCode[]>;

/** The error codes of an endpoint, as a type. */
export type FailureCode<Id extends EndpointId> = (typeof FAILURES)[Id][number];
/** The error statuses of an endpoint, as a type. */
export type FailureStatus<Id extends EndpointId> = (typeof ERRORS)[FailureCode<Id>]['status'];
