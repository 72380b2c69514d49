import type { EndpointId } from './endpoints.ts';
import type { ERRORS, ErrorCode } from './errors.ts';

/** How every endpoint may fail. */
const ALWAYS = ['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'] as const;

/** The codes each endpoint may fail with (api.md 4). Apart from the table of endpoints: few programs ask for them. */
export const FAILURES = {
  'posts.list': ['VALIDATION_ERROR', ...ALWAYS],
  'posts.get': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  'posts.getBySlug': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  'categories.list': ALWAYS,
  'categories.get': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  'categories.posts': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  'tags.list': ALWAYS,
  'tags.get': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  'tags.posts': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  search: ['VALIDATION_ERROR', ...ALWAYS],
  'ads.deliver': ['VALIDATION_ERROR', 'NOT_FOUND', ...ALWAYS],
  'ads.deliverBatch': ['VALIDATION_ERROR', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', ...ALWAYS],
  'ads.click': [
    'VALIDATION_ERROR',
    'INVALID_JSON',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'CLICK_TOKEN_INVALID',
    'CLICK_TOKEN_EXPIRED',
    'ORIGIN_NOT_ALLOWED',
    'CLICK_TOKEN_USED',
    ...ALWAYS,
  ],
  'ads.impression': ALWAYS,
} as const satisfies Record<EndpointId, readonly ErrorCode[]>;

/** The codes an endpoint may fail with, as a type. */
export type FailureCode<Id extends EndpointId> = (typeof FAILURES)[Id][number];
/** The statuses an endpoint may fail with, as a type. */
export type FailureStatus<Id extends EndpointId> = (typeof ERRORS)[FailureCode<Id>]['status'];
