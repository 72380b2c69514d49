import type { Command } from 'commander';
import { examples } from './examples.ts';

const JSON_FLAG = ['--json', 'print JSON'] as const;

/** Adds the commands by which an operator manages blogs, keys and ads. */
export function addManagement(program: Command, database: readonly [string, string]): void {
  const blogs = program.command('blogs').description('create and list blogs and their domains').helpCommand(false);
  blogs
    .command('list')
    .description('list the blogs')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet blogs list', 'broadsheet blogs list --json'))
    .action(async (flags) => (await import('../commands/blogs.ts')).listBlogs(flags));
  blogs
    .command('create')
    .description('create a blog and print its API key, once')
    .argument('<id>', 'id of the blog')
    .option('--name <name>', 'its name (default: the id)')
    .option('--domain <host...>', 'hosts whose pages may report clicks, such as news.example or *.news.example')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet blogs create news --name "The News" --domain news.example'))
    .action(async (id, flags) => (await import('../commands/blogs.ts')).createBlog(id, flags));
  blogs
    .command('domains')
    .description('show the domains of a blog, or replace them by those given')
    .argument('<blog>', 'id of the blog')
    .argument('[host...]', 'the new domains')
    .option('--add <host...>', 'keep those there are, and add these')
    .option('--remove <host...>', 'keep all but these')
    .option('--clear', 'allow every page')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'broadsheet blogs domains news',
        'broadsheet blogs domains news news.example *.news.example',
        'broadsheet blogs domains news --add localhost --remove old.example',
        'broadsheet blogs domains news --clear',
      ),
    )
    .action(async (blog, hosts, flags) => (await import('../commands/blogs.ts')).blogDomains(blog, hosts, flags));

  const keys = program.command('keys').description('list, rotate and revoke API keys').helpCommand(false);
  keys
    .command('list')
    .description('list the keys of a blog; the keys themselves are not stored')
    .argument('<blog>', 'id of the blog')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet keys list news'))
    .action(async (blog, flags) => (await import('../commands/keys.ts')).listKeys(blog, flags));
  keys
    .command('rotate')
    .description('revoke every key of a blog and print a new one, once')
    .argument('<blog>', 'id of the blog')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet keys rotate news'))
    .action(async (blog, flags) => (await import('../commands/keys.ts')).rotateKey(blog, flags));
  keys
    .command('revoke')
    .description('revoke one key of a blog, or all')
    .argument('<blog>', 'id of the blog')
    .argument('[key]', 'id of the key, as "keys list" shows it')
    .option('--all', 'revoke every key')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet keys revoke news 62af8704764f', 'broadsheet keys revoke news --all'))
    .action(async (blog, key, flags) => (await import('../commands/keys.ts')).revokeKeys(blog, key, flags));

  const ads = program.command('ads').description('list, add, pause and resume ads').helpCommand(false);
  ads
    .command('list')
    .description('list the ads of a blog')
    .argument('<blog>', 'id of the blog')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet ads list news'))
    .action(async (blog, flags) => (await import('../commands/ads.ts')).listAds(blog, flags));
  ads
    .command('add')
    .description('add an ad and print its id')
    .argument('<blog>', 'id of the blog')
    .requiredOption('--format <format>', 'BANNER, SIDEBAR, POPUP, INLINE or NATIVE')
    .option('--priority <number>', 'the highest is shown first', '0')
    .option('--title <text>', 'headline')
    .option('--content <text>', 'body text')
    .option('--link <url>', 'where a click leads')
    .option('--link-text <text>', 'label of the call to action')
    .option('--image <url>', 'https, http or data')
    .option('--starts <date-time>', 'not shown before; a date is the beginning of that day, UTC')
    .option('--ends <date-time>', 'not shown after; a date is the end of that day, UTC')
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
      .addHelpText('after', examples(`broadsheet ads ${name} news 3f2504e0-4f89-41d3-9a0c-0305e82c3301`))
      .action(async (blog, ad, flags) => (await import('../commands/ads.ts')).setActive(blog, ad, active, flags));
  }

  const panel = program.command('panel').description('say who may use the panel in the browser').helpCommand(false);
  panel
    .command('invite')
    .description('print a link that signs somebody in, once, within an hour')
    .argument('<name>', 'what they are called')
    .option('--blog <id>', 'the one blog they see (default: all)')
    .option('--role <role>', 'manage, or view to look only', 'manage')
    .option(
      '--url <url>',
      'address of the server (default: PUBLIC_URL)',
      process.env['PUBLIC_URL'] ?? 'http://127.0.0.1:4500',
    )
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'broadsheet panel invite Ada',
        'broadsheet panel invite Ben --blog news --role view --url https://blog.example',
      ),
    )
    .action(async (name, flags) => (await import('../commands/panel.ts')).invite(name, flags));
  panel
    .command('people')
    .description('list who may use the panel')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet panel people'))
    .action(async (flags) => (await import('../commands/panel.ts')).people(flags));
  panel
    .command('revoke')
    .description('sign somebody out everywhere, for good')
    .argument('<name>', 'what they are called')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet panel revoke Ben'))
    .action(async (name, flags) => (await import('../commands/panel.ts')).revokePerson(name, flags));
}
