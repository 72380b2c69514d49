// Nothing here depends on Node, because a deployment on Workers runs this code too.
export { adName } from '@broadsheet/store';
export type { ReportLink } from './campaigns/report-links.ts';
export {
  type Actor,
  type ArgsOf,
  type Argument,
  asGiven,
  COMMAND_LINE,
  type Command,
  type CommandTable,
  command,
  internal,
  position,
  type ResultOf,
} from './commands/command.ts';
export { COMMANDS, type CommandName, GROUPS } from './commands/commands.ts';
export { versionOf } from './commands/drafts.ts';
export {
  AD_FIELDS,
  type AdFieldName,
  CAMPAIGN_FIELDS,
  type CampaignFieldName,
  type Draft,
  type Field,
  type Fields,
} from './commands/fields.ts';
export { type CommandCall, runCommand } from './commands/run-command.ts';
export { safeForTerminal, table } from './commands/text-table.ts';
export { readTyped } from './commands/typed-values.ts';
export { deletedAdNames } from './figures/ads.ts';
export {
  type CampaignFigures,
  type CampaignReport,
  campaignStates,
  type KnownCampaign,
  knownCampaigns,
  listCampaigns,
  readCampaign,
} from './figures/campaigns.ts';
export { type BlogStats, type PlacementTotal, RECENT_DAYS, recentPlacements } from './figures/stats.ts';
export { type Excluded, excludedOf, measuredDays, type SlotTotal, slotTotalOf, type Total } from './figures/totals.ts';
export { fromBase64, isBase64, toBase64 } from './imports/base64.ts';
export { type ImportedContent, importContent } from './imports/import-content.ts';
export { type Importer, importerOf, remoteImporter } from './imports/importer.ts';
export { createBodyBudget } from './manage/body-budget.ts';
export { commandResponse, isManagement, type ManagementHost, manage, readPath } from './manage/manage.ts';
export { createManagementClient, isRemote, type ManagementClient } from './manage/management-client.ts';
export { wrongBlogId } from './operations/blog-id.ts';
export { requireBlog } from './operations/blogs.ts';
export { fileName, mediaUrl, readImage } from './operations/images.ts';
export { named, requireItem } from './operations/items.ts';
export { OperationError, type OperationProblem } from './operations/operation-error.ts';
export { planProblems } from './operations/plan.ts';
export { type AdState, adState, type CampaignState } from './operations/states.ts';
export {
  INVITATION_LIFE,
  imageUpload,
  type LogEntry,
  type Person,
  type PersonRecord,
  type Role,
  SESSION_LIFE,
} from './people/person.ts';
export { createServerStore, type ServerStore } from './server-store.ts';
export { hookMessageState, whyTestWaits } from './webhooks/message-state.ts';
export { type HookRequest, type SendRequest, WebhookSender } from './webhooks/sender.ts';
export { newSecret } from './webhooks/signature.ts';
