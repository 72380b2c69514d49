import { LIMITS } from '@broadsheet/contract';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Hmac, Ports } from '../ports.ts';
import type { Blog, FindBlog } from '../store.ts';
import { createTokens, type Validity } from '../tokens.ts';

/** The claims of a preview token: a post, and its blog. */
interface PreviewClaims extends Validity {
  readonly sub: string;
  readonly blog: string;
}

const createPreviewTokens = (hmac: Hmac) =>
  createTokens<PreviewClaims>(hmac, {
    purpose: 'post-preview',
    ttl: LIMITS.previewTokenTtl,
    required: ['sub', 'blog'],
  });

/** Signs a token that opens one post of a blog for 24 hours, regardless of its status; `now` is in milliseconds. */
export const signPreview = (hmac: Hmac, post: Omit<PreviewClaims, keyof Validity>, now: number): Promise<string> =>
  createPreviewTokens(hmac).issue(post, now);

/** The token in the header `Authorization: Bearer TOKEN` of a request. */
export const bearerToken = ({ header }: Pick<ApiRequest, 'header'>): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1];

/** The post that a preview token opens, and its blog. */
export interface Previewed {
  readonly blog: Blog;
  readonly postId: string;
}

/**
 * Finds the post that a request may preview. The token alone opens it; a key that is sent as well must not open another
 * blog, so that a site never shows the draft of another blog.
 */
export function createPreviewFinder({ hmac, clock }: Pick<Ports, 'hmac' | 'clock'>, findBlog: FindBlog) {
  const tokens = createPreviewTokens(hmac);
  /** @throws ApiError `UNAUTHORIZED` */
  return async (request: ApiRequest): Promise<Previewed> => {
    const token = bearerToken(request);
    if (token === undefined) throw refused('The header "Authorization: Bearer TOKEN" with a preview token is missing.');
    const claims = await tokens.verify(token);
    if (!claims) throw refused('The preview token is not valid.');
    if (clock.now() >= claims.exp * 1000) throw refused('The preview token has expired; create another link.');
    const key = request.header('x-api-key');
    const owner = key ? await findBlog(key) : undefined;
    if (owner && owner.id !== claims.blog) throw refused('The preview token is for a different blog than the API key.');
    return { blog: owner ?? { id: claims.blog, domains: [], revision: '' }, postId: claims.sub };
  };
}

const refused = (message: string): ApiError => new ApiError('UNAUTHORIZED', { message });
