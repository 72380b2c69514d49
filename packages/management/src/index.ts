// Nothing here depends on Node, because a deployment on Workers runs this code too.
export { adName } from '@broadsheet/store';
export {
  CAMPAIGN_FIELDS,
  type CampaignDraft,
  type CampaignFieldName,
} from './campaigns/campaign-fields.ts';
export {
  addCampaign,
  type CampaignFigures,
  type CampaignReport,
  type CampaignState,
  campaignVersion,
  deleteCampaign,
  editCampaign,
  exportCampaign,
  listCampaigns,
  readCampaign,
  requireCampaign,
  type Total,
} from './campaigns/campaigns.ts';
export { type ReportLink, revokeReport, shareReport } from './campaigns/report-links.ts';
export { AD_FIELDS, type AdDraft, type AdFieldName } from './operations/ad-fields.ts';
export {
  type AdState,
  addAd,
  adState,
  adVersion,
  deleteAd,
  deletedAdNames,
  editAd,
  exportAd,
  listAds,
  requireAd,
  setAdActive,
} from './operations/ads.ts';
export {
  type CreatedBlog,
  changeDomains,
  changeTimeZone,
  createBlog,
  type DomainChange,
  deleteBlog,
  renameBlog,
  requireBlog,
  requireBlogId,
} from './operations/blogs.ts';
export { addImage, mediaUrl, moveMedia, putImages, readImage, withImages } from './operations/images.ts';
export { type ImportedContent, importContent, type ReadyContent } from './operations/imports.ts';
export { readExpiry } from './operations/instants.ts';
export { type CreatedKey, createKey, listKeys, revokeKeys, rotateKeys } from './operations/keys.ts';
export { OperationError, type OperationProblem } from './operations/operation-error.ts';
export {
  deletePost,
  exportPost,
  listPosts,
  previewLink,
  publishPost,
  requirePost,
  unpublishPost,
} from './operations/posts.ts';
export { listBin, restore } from './operations/recycle-bin.ts';
export {
  type AdTotal,
  type BlogStats,
  type CampaignTotal,
  type PlacementTotal,
  readStats,
  type TrafficTotal,
} from './operations/stats.ts';
export {
  INVITATION_LIFE,
  type LogEntry,
  type LogQuery,
  type Person,
  type PersonRecord,
  ROLES,
  type Role,
  SESSION_LIFE,
} from './people/person.ts';
export { fromBase64, toBase64 } from './remote/base64.ts';
export { createBlogVerbs } from './remote/blog-verbs.ts';
export { answerVerb, isManagement, type ManagementHost, manage, readCall } from './remote/manage.ts';
export { createManagementClient, isRemote, type ManagementClient } from './remote/management-client.ts';
export { openRemoteStore } from './remote/remote-store.ts';
export type { CopyVerbs, ManagedStore, Verb, Verbs } from './remote/verbs.ts';
export { createServerStore, type ServerStore } from './server-store.ts';
export { type Grant, SCOPES, type Scope, type TokenRecord } from './tokens/tokens.ts';
export { type HookRequest, type SendRequest, WebhookSender } from './webhooks/sender.ts';
export {
  addHook,
  deleteHook,
  hookMessageState,
  listHooks,
  rotateHook,
  sendHookMessage,
  testHook,
} from './webhooks/webhooks.ts';
