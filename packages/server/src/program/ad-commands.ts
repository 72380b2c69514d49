import { AD_FIELDS } from '@broadsheet/management';
import type { Command } from 'commander';
import { onDatabase, withFields } from './flags.ts';
import { addRecyclingCommands } from './recycling-commands.ts';

const EXAMPLE = 'news 3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** Adds the commands that manage the ads of a blog. */
export function addAdCommands(program: Command): void {
  const ads = program.command('ads').description('list, add, edit, pause and delete ads').helpCommand(false);
  onDatabase(ads.command('list <blog>').description('list the ads of a blog')).action(async (blog, flags) =>
    (await import('../commands/ads.ts')).listAds(blog, flags),
  );
  onDatabase(
    withFields(ads.command('add <blog>').description('add an ad and print its id'), AD_FIELDS, ['format']),
    'broadsheet ads add news --format BANNER --title "Tea" --link https://tea.example',
    'broadsheet ads add news --format POPUP --title "Sale" --ends 2030-12-24 --priority 5',
  ).action(async (blog, flags) => (await import('../commands/ads.ts')).addAd(blog, flags));
  onDatabase(
    withFields(
      ads.command('edit <blog> <ad>').description('update the given fields of an ad; an empty value removes a field'),
      AD_FIELDS,
    ),
    `broadsheet ads edit ${EXAMPLE} --link https://tea.example/spring`,
    `broadsheet ads edit ${EXAMPLE} --ends ""`,
  ).action(async (blog, ad, flags) => (await import('../commands/ads.ts')).editAd(blog, ad, flags));
  for (const name of ['pause', 'resume']) {
    onDatabase(ads.command(`${name} <blog> <ad>`).description(`${name} an ad`)).action(async (blog, ad, flags) =>
      (await import('../commands/ads.ts')).setActive(blog, ad, name === 'resume', flags),
    );
  }
  addRecyclingCommands(ads, 'ad');
}
