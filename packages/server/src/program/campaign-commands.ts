import { CAMPAIGN_FIELDS } from '@broadsheet/management';
import type { Command } from 'commander';
import { onDatabase, URL_FLAG, withFields } from './flags.ts';
import { addRecyclingCommands } from './recycling-commands.ts';

const EXAMPLE = 'news 8c2f5a40-7d1e-4b6c-9a53-1f2e3d4c5b6a';

/** Adds the commands that manage the campaigns of a blog. */
export function addCampaignCommands(program: Command): void {
  const campaigns = program
    .command('campaigns')
    .description('list, add, edit, delete and report on campaigns')
    .helpCommand(false);
  onDatabase(campaigns.command('list <blog>').description('list the campaigns of a blog with their figures')).action(
    async (blog, flags) => (await import('../commands/campaigns.ts')).listCampaigns(blog, flags),
  );
  onDatabase(
    withFields(campaigns.command('add <blog>').description('add a campaign and print its id'), CAMPAIGN_FIELDS, [
      'sponsor',
      'name',
    ]),
    'broadsheet campaigns add news --sponsor "Tea & Co" --name Spring --goal-impressions 1000 --to 2030-12-24',
  ).action(async (blog, flags) => (await import('../commands/campaigns.ts')).addCampaign(blog, flags));
  onDatabase(
    withFields(
      campaigns
        .command('edit <blog> <campaign>')
        .description('update the given fields of a campaign; an empty value removes a field'),
      CAMPAIGN_FIELDS,
    ),
    `broadsheet campaigns edit ${EXAMPLE} --goal-impressions 2000`,
  ).action(async (blog, id, flags) => (await import('../commands/campaigns.ts')).editCampaign(blog, id, flags));
  addRecyclingCommands(campaigns, 'campaign');
  onDatabase(
    campaigns
      .command('report <blog> <campaign>')
      .description('show the figures of a campaign, and print a link to its report for the sponsor')
      .option(...URL_FLAG)
      .option('--expires <time>', 'when the link expires: days such as 90d, a date or a date-time (default: never)')
      .option('--no-link', 'show the figures only')
      .option('--links', 'list the links instead')
      .option('--revoke <link>', 'revoke the link with this id instead'),
    `broadsheet campaigns report ${EXAMPLE} --expires 90d`,
    `broadsheet campaigns report ${EXAMPLE} --links`,
  ).action(async (blog, id, flags) => (await import('../commands/campaigns.ts')).reportCampaign(blog, id, flags));
}
