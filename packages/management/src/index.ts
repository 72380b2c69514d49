// Nothing here depends on Node, because a deployment on Workers runs this code too.

export { type Deleted, problemsOfLeft, type RestoredTogether } from './commands/bin.ts';
export { campaignFields } from './commands/campaigns.ts';
export {
  type Actor,
  type ArgsOf,
  type Argument,
  asGiven,
  COMMAND_LINE,
  type Command,
  type CommandTable,
  canTouch,
  command,
  internal,
  isReading,
  position,
  type ResultOf,
  TOUCHABLE,
  type Touch,
  type Written,
} from './commands/command.ts';
export { COMMANDS, type CommandName, GROUPS } from './commands/commands.ts';
export {
  AD_FIELDS,
  type AdFieldName,
  CAMPAIGN_FIELDS,
  type CampaignFieldName,
  type Draft,
  type Field,
  type Fields,
} from './commands/fields.ts';
export { hookMessageState, newSecret, whyTestWaits } from './commands/hooks.ts';
export { lostBy, named, requireItem } from './commands/items.ts';
export { type CommandCall, requestOf, runCommand } from './commands/run-command.ts';
export { type Shown, shownText } from './commands/seen.ts';
export { readServerUrl } from './commands/server-url.ts';
export { asText, type Printed, safeForTerminal, table } from './commands/text-table.ts';
export { readTyped } from './commands/typed-values.ts';
export {
  type AdState,
  adState,
  type CampaignFigures,
  type CampaignReport,
  type CampaignState,
  campaignStates,
  type KnownCampaign,
  knownCampaigns,
  listCampaigns,
  readCampaign,
} from './figures/campaigns.ts';
export { readSponsorReport, type SponsorReport } from './figures/sponsor-report.ts';
export { type BlogStats, firstRecentDay, type PlacementTotal, RECENT_DAYS, recentPlacements } from './figures/stats.ts';
export {
  deletedAdNames,
  type Excluded,
  excludedOf,
  measuredDays,
  type SlotTotal,
  slotTotalOf,
  type Total,
} from './figures/totals.ts';
export { type ImportedContent, importContent } from './imports/import-content.ts';
export { type Importer, importerOf, remoteImporter } from './imports/importer.ts';
export { summaryOf } from './imports/summary.ts';
export { createBodyBudget } from './manage/body-budget.ts';
export { commandResponse, isManagement, type ManagementHost, manage, readPath } from './manage/manage.ts';
export { createManagementClient, isRemote, type ManagementClient } from './manage/management-client.ts';
export { requireBlog, wrongBlogId } from './operations/blogs.ts';
export { fileName, mediaUrl, readImage } from './operations/images.ts';
export { OperationError, type OperationProblem, problemsAt } from './operations/operation-error.ts';
export { planProblems } from './operations/plan.ts';
export { WebhookSender } from './webhooks/sender.ts';
