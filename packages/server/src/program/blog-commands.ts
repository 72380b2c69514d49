import type { Command } from 'commander';
import { examples, JSON_FLAG } from './examples.ts';

/** Adds the commands by which an operator manages blogs and their keys. */
export function addBlogCommands(program: Command, database: readonly [string, string]): void {
  const blogs = program
    .command('blogs')
    .description('list, create, rename and delete blogs, and change their domains')
    .helpCommand(false);
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

  blogs
    .command('rename')
    .description('give a blog another name; its id stays')
    .argument('<blog>', 'id of the blog')
    .argument('<name>', 'the new name')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet blogs rename news "The Evening News"'))
    .action(async (blog, name, flags) => (await import('../commands/blogs.ts')).renameBlog(blog, name, flags));
  blogs
    .command('delete')
    .description('delete a blog with its posts, ads, keys and all it counted')
    .argument('<blog>', 'id of the blog')
    .option('--yes', 'do it; without it, what would be deleted is said')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet blogs delete news', 'broadsheet blogs delete news --yes'))
    .action(async (blog, flags) => (await import('../commands/blogs.ts')).deleteBlog(blog, flags));

  const keys = program.command('keys').description('list, create, rotate and revoke API keys').helpCommand(false);
  keys
    .command('list')
    .description('list the keys of a blog; the keys themselves are not stored')
    .argument('<blog>', 'id of the blog')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet keys list news'))
    .action(async (blog, flags) => (await import('../commands/keys.ts')).listKeys(blog, flags));
  keys
    .command('create')
    .description('add a key beside those there are and print it, once')
    .argument('<blog>', 'id of the blog')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet keys create news'))
    .action(async (blog, flags) => (await import('../commands/keys.ts')).createKey(blog, flags));
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
}
