export { newApiKey } from './blogs/api-key.ts';
export { type Copied, type CopyOptions, copyDatabase } from './copy/copy-database.ts';
export type { Asked, Earned, Sums } from './events/sums.ts';
export type { ManagedStore } from './management/managed-store.ts';
export { isDeployment } from './management/management-client.ts';
export { openRemoteStore } from './management/remote-store.ts';
export type { StoreOptions } from './open-database.ts';
export { openStore } from './open-store.ts';
export type { AdDraft } from './operations/ad-draft.ts';
export {
  type AdState,
  addAd,
  adState,
  deleteAd,
  editAd,
  listAds,
  requireAd,
  setAdActive,
} from './operations/ads.ts';
export {
  type CreatedBlog,
  changeDomains,
  createBlog,
  type DomainChange,
  deleteBlog,
  renameBlog,
  requireBlog,
  requireBlogId,
} from './operations/blogs.ts';
export { importContent, type ReadyContent } from './operations/imports.ts';
export { type CreatedKey, createKey, listKeys, revokeKeys, rotateKeys } from './operations/keys.ts';
export { deletePost, listPosts, publishPost, unpublishPost } from './operations/posts.ts';
export { type OperationProblem, Refusal } from './operations/refusal.ts';
export { type AdTotal, type BlogStats, type PlacementTotal, readStats } from './operations/stats.ts';
export {
  INVITATION_LIFE,
  type LogEntry,
  type LogQuery,
  type PeopleStore,
  type Person,
  type PersonRecord,
  ROLES,
  type Role,
  SESSION_LIFE,
} from './people/people-store.ts';
export {
  BlogExists,
  type BlogRecord,
  type Clash,
  ContentClash,
  DatabaseNotEmpty,
  DatabaseTooNew,
  type ImportedBlog,
  type ImportOptions,
  type KeyRecord,
  NotOurs,
  type PostFilter,
  type PostRecord,
  type Pruned,
  type Publication,
  type ServerStore,
} from './server-store.ts';
