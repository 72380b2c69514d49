export * from './ads/campaign.ts';
export type { BlogCampaigns, CampaignState } from './ads/choose-ads.ts';
export { campaignsOf, fillSlots, isCountedByItself, OTHER_PLACEMENT } from './ads/choose-ads.ts';
export { type ClickClaims, readTokens } from './ads/click.ts';
export { dayOf, fromLocalTime, hourOf, knownZone, localTime, timestampIn } from './ads/day.ts';
export { EXCLUDED, forwardedAddress, isExcluded, visitorAddress } from './ads/traffic.ts';
export type { ApiOptions, BlogApi, Limits, Observation, Observer } from './api.ts';
export { assembleApi, createApi } from './api.ts';
export type {
  ApiCall,
  Around,
  BlogCall,
  Caller,
  CallResponse,
  EndpointCall,
  RequestPart,
  StrayCall,
} from './calls/call.ts';
export { VIEWABLE_PATH } from './calls/call.ts';
export { dueTime, publishedOnTime } from './content/due-posts.ts';
export { codeUnitOrder, fold } from './content/fold.ts';
export { bearerToken, signPreview } from './content/preview.ts';
export { checkPosts, isChanged } from './content/writing.ts';
export { ApiError } from './http/api-error.ts';
export { type ApiRequest, fromRequest } from './http/request.ts';
export type { ApiResponse, Chunks, MaybeEncoded, ResponseBody } from './http/response.ts';
export {
  buffered,
  CORS,
  decoded,
  Encoded,
  errorResponse,
  isChunks,
  matchesTag,
  sizeOf,
  toFetch,
} from './http/response.ts';
export { createResponseCache, type ResponseCache } from './http/response-cache.ts';
export type { Image, ImageExtension, ImageKind, ImagePath } from './media/image.ts';
export { findMedia, IMAGE_LIMITS, IMAGE_TYPES, imageKind, mediaPath } from './media/image.ts';
export { type ImageStore, mediaResponse, type StoredImage } from './media/media-response.ts';
export { createAdEvents } from './memory/ad-events.ts';
export type { AdEvents } from './memory/memory-blog.ts';
export type { MemoryContent, MemoryState, MemoryStore } from './memory/memory-store.ts';
export { createMemoryContent, createMemoryStore } from './memory/memory-store.ts';
export { publicPost } from './memory/published.ts';
export type { Clock, Hmac, Random } from './ports.ts';
export { createSigning, type Signing } from './signing.ts';
export * from './store.ts';
export { readClaims } from './tokens.ts';
