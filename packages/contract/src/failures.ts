import type { EndpointId } from './endpoints.ts';
import type { ERRORS, ErrorCode } from './errors.ts';

/** How every endpoint may fail. */
const ALWAYS = ['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'] as const;

/** How each endpoint may fail beside that (api.md 4). */
const OWN = {
  'posts.list': ['VALIDATION_ERROR'],
  'posts.get': ['VALIDATION_ERROR', 'NOT_FOUND'],
  'posts.getBySlug': ['VALIDATION_ERROR', 'NOT_FOUND'],
  'categories.list': [],
  'categories.get': ['VALIDATION_ERROR', 'NOT_FOUND'],
  'categories.posts': ['VALIDATION_ERROR', 'NOT_FOUND'],
  'tags.list': [],
  'tags.get': ['VALIDATION_ERROR', 'NOT_FOUND'],
  'tags.posts': ['VALIDATION_ERROR', 'NOT_FOUND'],
  search: ['VALIDATION_ERROR'],
  'ads.deliver': ['VALIDATION_ERROR', 'NOT_FOUND'],
  'ads.deliverBatch': ['VALIDATION_ERROR', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  'ads.click': [
    'VALIDATION_ERROR',
    'INVALID_JSON',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'CLICK_TOKEN_INVALID',
    'CLICK_TOKEN_EXPIRED',
    'ORIGIN_NOT_ALLOWED',
    'CLICK_TOKEN_USED',
  ],
  'ads.impression': [],
} as const satisfies Record<EndpointId, readonly ErrorCode[]>;

/** The codes an endpoint may fail with, as a type. */
export type FailureCode<Id extends EndpointId> = (typeof OWN)[Id][number] | (typeof ALWAYS)[number];
/** The statuses an endpoint may fail with, as a type. */
export type FailureStatus<Id extends EndpointId> = (typeof ERRORS)[FailureCode<Id>]['status'];

/** The codes an endpoint may fail with. Apart from the table of endpoints: few programs ask for them. */
export function failuresOf(id: EndpointId): readonly ErrorCode[] {
  return [...OWN[id], ...ALWAYS];
}
