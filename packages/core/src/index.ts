export * from './ads/campaign.ts';
export type { ClickClaims } from './ads/click.ts';
export { dayOf, fromLocalTime, hourOf, knownZone, localTime, timestampIn } from './ads/day.ts';
export { type BlogCampaigns, type CampaignState, campaignsOf, fillSlots } from './ads/fill-slots.ts';
export { isCountedByItself, OTHER_PLACEMENT } from './ads/placements.ts';
export { EXCLUDED, forwardedAddress, isExcluded, visitorAddress } from './ads/traffic.ts';
export { readTokens } from './ads/viewable.ts';
export type { ApiOptions, BlogApi, Limits } from './api.ts';
export { assembleApi, createApi } from './api.ts';
export type { Around } from './calls/around.ts';
export type { ApiCall, BlogCall, Caller, CallResponse, EndpointCall, StrayCall } from './calls/call.ts';
export { VIEWABLE_PATH } from './calls/call.ts';
export type { Observation, Observer } from './calls/outcome.ts';
export type { RequestPart } from './calls/read-parts.ts';
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
export { decideSlugs } from './sources/decide-slugs.ts';
export { manyNotes } from './sources/many-notes.ts';
export { claimOf, notesOnDates, outlineOf, type PostOutline } from './sources/post-outline.ts';
export { settleBlog } from './sources/settle-blog.ts';
export { type BlogClock, settlePost } from './sources/settle-post.ts';
export * from './store.ts';
export { readClaims } from './tokens.ts';
