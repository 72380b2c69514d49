import type { Command } from 'commander';
import { examples, JSON_FLAG } from './examples.ts';

const POST = 'hello-world-1a2b3c4d';
const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** Adds the commands by which an operator manages what is in a blog: its posts and its ads. */
export function addContentCommands(program: Command, database: readonly [string, string]): void {
  addPosts(program, database);
  addAds(program, database);
}

function addPosts(program: Command, database: readonly [string, string]): void {
  const posts = program.command('posts').description('list, publish, take down and delete posts').helpCommand(false);
  posts
    .command('list')
    .description('list the posts of a blog, drafts and scheduled ones included')
    .argument('<blog>', 'id of the blog')
    .option('--status <status>', 'only those: PUBLISHED, DRAFT or SCHEDULED')
    .option('--search <text>', 'only those with this in title or slug, or with this id')
    .option('--limit <number>', 'how many', '50')
    .option('--offset <number>', 'how many of the first to leave out', '0')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet posts list news', 'broadsheet posts list news --status draft --json'))
    .action(async (blog, flags) => (await import('../commands/posts.ts')).listPosts(blog, flags));
  posts
    .command('publish')
    .description('publish a post, or schedule it')
    .argument('<blog>', 'id of the blog')
    .argument('<post>', 'id of the post, as "posts list" shows it')
    .option('--at <date-time>', 'when; one ahead schedules it. A date is its beginning, UTC')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        `broadsheet posts publish news ${POST}`,
        `broadsheet posts publish news ${POST} --at 2030-01-31T09:00:00Z`,
      ),
    )
    .action(async (blog, post, flags) => (await import('../commands/posts.ts')).publishPost(blog, post, flags));
  posts
    .command('unpublish')
    .description('make a post a draft, which readers do not see')
    .argument('<blog>', 'id of the blog')
    .argument('<post>', 'id of the post, as "posts list" shows it')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`broadsheet posts unpublish news ${POST}`))
    .action(async (blog, post, flags) => (await import('../commands/posts.ts')).unpublishPost(blog, post, flags));
  posts
    .command('delete')
    .description('delete a post and print it as a snapshot, which import brings back')
    .argument('<blog>', 'id of the blog')
    .argument('<post>', 'id of the post, as "posts list" shows it')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`broadsheet posts delete news ${POST} > deleted.json`))
    .action(async (blog, post, flags) => (await import('../commands/posts.ts')).deletePost(blog, post, flags));
}

/** The flags that say what an ad is. */
function addAdFlags(command: Command): Command {
  return command
    .option('--title <text>', 'headline')
    .option('--content <text>', 'body text')
    .option('--link <url>', 'where a click leads')
    .option('--link-text <text>', 'label of the call to action')
    .option('--image <url>', 'https, http or data')
    .option('--starts <date-time>', 'not shown before; a date is the beginning of that day, UTC')
    .option('--ends <date-time>', 'not shown after; a date is the end of that day, UTC');
}

function addAds(program: Command, database: readonly [string, string]): void {
  const ads = program.command('ads').description('list, add, edit, pause and delete ads').helpCommand(false);
  ads
    .command('list')
    .description('list the ads of a blog')
    .argument('<blog>', 'id of the blog')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet ads list news'))
    .action(async (blog, flags) => (await import('../commands/ads.ts')).listAds(blog, flags));
  addAdFlags(
    ads
      .command('add')
      .description('add an ad and print its id')
      .argument('<blog>', 'id of the blog')
      .requiredOption('--format <format>', 'BANNER, SIDEBAR, POPUP, INLINE or NATIVE')
      .option('--priority <number>', 'the highest is shown first', '0'),
  )
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'broadsheet ads add news --format BANNER --title "Tea" --link https://tea.example',
        'broadsheet ads add news --format POPUP --title "Sale" --ends 2030-12-24 --priority 5',
      ),
    )
    .action(async (blog, flags) => (await import('../commands/ads.ts')).addAd(blog, flags));
  addAdFlags(
    ads
      .command('edit')
      .description('change what is given of an ad; an empty text takes a field away')
      .argument('<blog>', 'id of the blog')
      .argument('<ad>', 'id of the ad, as "ads list" shows it')
      .option('--format <format>', 'BANNER, SIDEBAR, POPUP, INLINE or NATIVE')
      .option('--priority <number>', 'the highest is shown first'),
  )
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        `broadsheet ads edit news ${AD} --link https://tea.example/spring`,
        `broadsheet ads edit news ${AD} --ends ""`,
      ),
    )
    .action(async (blog, ad, flags) => (await import('../commands/ads.ts')).editAd(blog, ad, flags));
  for (const [name, active] of [
    ['pause', false],
    ['resume', true],
  ] as const) {
    ads
      .command(name)
      .description(`${name} an ad`)
      .argument('<blog>', 'id of the blog')
      .argument('<ad>', 'id of the ad, as "ads list" shows it')
      .option(...database)
      .option(...JSON_FLAG)
      .addHelpText('after', examples(`broadsheet ads ${name} news ${AD}`))
      .action(async (blog, ad, flags) => (await import('../commands/ads.ts')).setActive(blog, ad, active, flags));
  }
  ads
    .command('delete')
    .description('delete an ad and print it as a snapshot, which import brings back; what it earned stays')
    .argument('<blog>', 'id of the blog')
    .argument('<ad>', 'id of the ad, as "ads list" shows it')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`broadsheet ads delete news ${AD} > deleted.json`))
    .action(async (blog, ad, flags) => (await import('../commands/ads.ts')).deleteAd(blog, ad, flags));
}
