export {
  admits,
  aheadOfPlan,
  behindPlan,
  type CampaignProgress,
  hourOf,
  type Period,
  type Plan,
  periodOf,
  planOf,
  TRAFFIC_HOURS,
  type WeeklyTraffic,
  weeklyTraffic,
  withStart,
} from './ads/campaign.ts';
export { readTokens } from './ads/click.ts';
export type { ClickClaims } from './ads/click-token.ts';
export { dayOf, fromLocalTime, knownZone, localTime, shareOfDay, timestampIn } from './ads/day.ts';
export {
  type BlogCampaigns,
  type CampaignState,
  campaignsOf,
  fillSlots,
  isCountedByItself,
  OTHER_PLACEMENT,
} from './ads/fill-slots.ts';
export { readClaims } from './ads/jwt.ts';
export { forwardedAddress, visitorAddress } from './ads/traffic.ts';
export {
  type ApiOptions,
  assembleApi,
  type BlogApi,
  createApi,
  type Limits,
  type Observation,
  type Observer,
} from './api.ts';
export {
  type ApiCall,
  type Around,
  type Caller,
  type CallResponse,
  type EndpointCall,
  type StrayCall,
  VIEWABLE_PATH,
} from './calls/call.ts';
export type { RequestPart } from './calls/parts.ts';
export { dueTime, type FindBlog, publishedOnTime } from './content/due-posts.ts';
export { codeUnitOrder, fold } from './content/fold.ts';
export { bearerToken, signPreview } from './content/preview.ts';
export { checkPosts, isChanged } from './content/writing.ts';
export { ApiError } from './http/api-error.ts';
export { type ApiRequest, fromRequest } from './http/request.ts';
export { CORS, errorParts, errorResponse, matchesTag } from './http/respond.ts';
export {
  type ApiResponse,
  buffered,
  type Chunks,
  decoded,
  Encoded,
  isChunks,
  type MaybeEncoded,
  type ResponseBody,
  sizeOf,
} from './http/response.ts';
export { createResponseCache, type ResponseCache } from './http/response-cache.ts';
export {
  findMedia,
  IMAGE_LIMITS,
  IMAGE_TYPES,
  type Image,
  type ImageExtension,
  type ImageKind,
  type ImagePath,
  imageKind,
  mediaPath,
} from './media/image.ts';
export { type ImageStore, mediaResponse, type StoredImage } from './media/media-response.ts';
export { createAdEvents } from './memory/ad-events.ts';
export type { AdEvents } from './memory/memory-blog.ts';
export {
  createMemoryContent,
  createMemoryStore,
  type MemoryContent,
  type MemoryState,
  type MemoryStore,
} from './memory/memory-store.ts';
export { publicPost } from './memory/published.ts';
export type { Clock, Hmac, Random } from './ports.ts';
export { createSigning, type Signing } from './signing.ts';
export {
  type Ad,
  type ApiStore,
  type Awaitable,
  type Blog,
  type BlogVersion,
  type Campaign,
  type Click,
  type ClickOutcome,
  type ContentStore,
  type CountedPosts,
  type Counts,
  type Delivered,
  type Delivery,
  type DeliverySlot,
  EXCLUDED,
  type Figure,
  type FigureKey,
  type FiguresQuery,
  type FirstDelivery,
  type Impression,
  isExcluded,
  type Range,
  type Store,
  StoreUnavailable,
  type Traffic,
  type ViewableImpression,
} from './store.ts';
