import type { AdDeliveryResult, AdDeliverySlotResult, AdTrackingResult } from '../ads/ad.ts';
import type { Category, Post, PostSummary, SearchMeta, SearchResultItem, Tag } from '../answer/content.ts';

/**
 * What a success of each endpoint carries. The resources are plain interfaces, so that the types of the client need no
 * schema library; `payloads.test-d.ts` proves that each is what the contract's schema says.
 */
export interface Payloads {
  'posts.list': Post[];
  'posts.get': Post;
  'posts.getBySlug': Post;
  'categories.list': Category[];
  'categories.get': Category;
  'categories.posts': PostSummary[];
  'tags.list': Tag[];
  'tags.get': Tag;
  'tags.posts': PostSummary[];
  search: { data: SearchResultItem[]; meta: SearchMeta };
  'ads.deliver': AdDeliveryResult;
  'ads.deliverBatch': AdDeliverySlotResult[];
  'ads.click': AdTrackingResult;
  'ads.impression': AdTrackingResult;
}
