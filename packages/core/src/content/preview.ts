import { LIMITS } from '@broadsheet/contract';
import { createJwt } from '../ads/jwt.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Clock, Hmac } from '../ports.ts';
import type { Blog } from '../store.ts';
import type { FindBlog } from './due-posts.ts';

/** The claims of a preview token. Times are in seconds since the epoch. */
interface PreviewClaims {
  readonly purpose: 'post-preview';
  /** The post. */
  readonly sub: string;
  readonly blog: string;
  readonly iat: number;
  readonly exp: number;
}

/** Signs a token that opens one post of a blog for 24 hours, regardless of its status; `now` is in milliseconds. */
export function signPreview(hmac: Hmac, post: Pick<PreviewClaims, 'sub' | 'blog'>, now: number): Promise<string> {
  const iat = Math.floor(now / 1000);
  const claims: PreviewClaims = { purpose: 'post-preview', ...post, iat, exp: iat + LIMITS.previewTokenTtl };
  return createJwt(hmac).sign(claims);
}

/** The token in the header `Authorization: Bearer TOKEN` of a request. */
export const bearerToken = ({ header }: Pick<ApiRequest, 'header'>): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1];

/** The post that a preview token opens, and its blog. */
export interface Previewed {
  readonly blog: Blog;
  readonly postId: string;
}

interface PreviewPorts {
  readonly hmac: Hmac;
  readonly clock: Clock;
  readonly findBlog: FindBlog;
}

/**
 * Finds the post that a request may preview. The token alone opens it; a key that is sent as well must not open another
 * blog, so that a site never shows the draft of a blog that is not its own.
 */
export function createPreviewFinder({ hmac, clock, findBlog }: PreviewPorts) {
  const jwt = createJwt(hmac);
  /** @throws ApiError `UNAUTHORIZED` */
  return async (request: ApiRequest): Promise<Previewed> => {
    const token = bearerToken(request);
    if (token === undefined) throw refused('The header "Authorization: Bearer TOKEN" with a preview token is missing.');
    const claims = await jwt.verify(token);
    if (!isPreviewClaims(claims)) throw refused('The preview token is not valid.');
    if (clock.now() >= claims.exp * 1000) throw refused('The preview token has expired; create another link.');
    const key = request.header('x-api-key');
    const owner = key ? await findBlog(key) : undefined;
    if (owner && owner.id !== claims.blog) throw refused('The preview token is for a different blog than the API key.');
    return { blog: owner ?? { id: claims.blog, domains: [], revision: '' }, postId: claims.sub };
  };
}

const refused = (message: string): ApiError => new ApiError('UNAUTHORIZED', { message });

function isPreviewClaims(value: unknown): value is PreviewClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { purpose, sub, blog, exp } = value as Record<keyof PreviewClaims, unknown>;
  return purpose === 'post-preview' && typeof sub === 'string' && typeof blog === 'string' && Number.isInteger(exp);
}
