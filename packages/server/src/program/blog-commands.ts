import type { Command } from 'commander';
import { onDatabase } from './flags.ts';

/** Adds the commands that manage blogs. */
export function addBlogCommands(program: Command): void {
  const blogs = program
    .command('blogs')
    .description('list, create, rename and delete blogs, and change their domains and time zones')
    .helpCommand(false);
  onDatabase(blogs.command('list').description('list the blogs')).action(async (flags) =>
    (await import('../commands/blogs.ts')).listBlogs(flags),
  );
  onDatabase(
    blogs
      .command('create')
      .description('create a blog and print its API key, once')
      .argument('<id>', 'id of the blog')
      .option('--name <name>', 'its name (default: the id)')
      .option('--domain <host...>', 'hosts whose pages may report clicks, such as news.example or *.news.example'),
    'broadsheet blogs create news --name "The News" --domain news.example',
  ).action(async (id, flags) => (await import('../commands/blogs.ts')).createBlog(id, flags));
  addSettingCommands(blogs);
  onDatabase(
    blogs
      .command('delete <blog>')
      .description('delete a blog with its posts, ads, keys and figures')
      .option('--yes', 'delete it; without this flag, the command only says what would be deleted'),
    'broadsheet blogs delete news',
    'broadsheet blogs delete news --yes',
  ).action(async (blog, flags) => (await import('../commands/blogs.ts')).deleteBlog(blog, flags));
}

/** Adds the commands that change the settings of a blog. */
function addSettingCommands(blogs: Command): void {
  onDatabase(
    blogs
      .command('domains <blog>')
      .description('show or replace the domains of a blog')
      .argument('[host...]', 'the new domains')
      .option('--add <host...>', 'keep the existing domains and add these')
      .option('--remove <host...>', 'keep all domains but these')
      .option('--clear', 'allow every page'),
    'broadsheet blogs domains news',
    'broadsheet blogs domains news news.example *.news.example',
    'broadsheet blogs domains news --add localhost --remove old.example',
    'broadsheet blogs domains news --clear',
  ).action(async (blog, hosts, flags) => (await import('../commands/blogs.ts')).blogDomains(blog, hosts, flags));
  onDatabase(
    blogs
      .command('rename <blog>')
      .description('give a blog another name; its id stays')
      .argument('<name>', 'the new name'),
    'broadsheet blogs rename news "The Evening News"',
  ).action(async (blog, name, flags) => (await import('../commands/blogs.ts')).renameBlog(blog, name, flags));
  onDatabase(
    blogs
      .command('time-zone <blog>')
      .description('show or set the time zone of the days in figures and daily caps of a blog')
      .argument('[zone]', 'a name such as Europe/Berlin; the default is UTC'),
    'broadsheet blogs time-zone news',
    'broadsheet blogs time-zone news Europe/Berlin',
  ).action(async (blog, zone, flags) => (await import('../commands/blogs.ts')).blogTimeZone(blog, zone, flags));
}

/** Adds the commands that manage API keys. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('list, create, rotate and revoke API keys').helpCommand(false);
  onDatabase(
    keys.command('list <blog>').description('list the keys of a blog by id; only their hashes are stored'),
  ).action(async (blog, flags) => (await import('../commands/keys.ts')).listKeys(blog, flags));
  onDatabase(keys.command('create <blog>').description('add a key to a blog and print it, once')).action(
    async (blog, flags) => (await import('../commands/keys.ts')).createKey(blog, flags),
  );
  onDatabase(keys.command('rotate <blog>').description('revoke every key of a blog and print a new one, once')).action(
    async (blog, flags) => (await import('../commands/keys.ts')).rotateKey(blog, flags),
  );
  onDatabase(
    keys
      .command('revoke <blog>')
      .description('revoke one key of a blog, or all')
      .argument('[key]', 'id of the key, as "keys list" shows it')
      .option('--all', 'revoke every key'),
    'broadsheet keys revoke news 62af8704764f',
    'broadsheet keys revoke news --all',
  ).action(async (blog, key, flags) => (await import('../commands/keys.ts')).revokeKeys(blog, key, flags));
}
