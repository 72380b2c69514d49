import type { Command } from 'commander';
import { onDatabase } from './flags.ts';
import { addRecyclingCommands } from './recycling-commands.ts';

const EXAMPLE = 'news hello-world-1a2b3c4d';

/** Adds the commands that manage the posts of a blog. */
export function addPostCommands(program: Command): void {
  const posts = program
    .command('posts')
    .description('list, publish, preview, unpublish and delete posts')
    .helpCommand(false);
  onDatabase(
    posts
      .command('list <blog>')
      .description('list the posts of a blog, including drafts and scheduled posts')
      .option('--status <status>', 'only PUBLISHED, DRAFT or SCHEDULED')
      .option('--search <text>', 'filter by text in title or slug, or by id')
      .option('--limit <number>', 'number of posts to list', '50')
      .option('--offset <number>', 'number of posts to skip', '0'),
    'broadsheet posts list news',
    'broadsheet posts list news --status draft --json',
  ).action(async (blog, flags) => (await import('../commands/posts.ts')).listPosts(blog, flags));
  onDatabase(
    posts
      .command('publish <blog> <post>')
      .description('publish a post, or schedule it')
      .option('--at <date-time>', 'when to publish; a time in the future schedules the post. A date means 00:00 UTC'),
    `broadsheet posts publish ${EXAMPLE}`,
    `broadsheet posts publish ${EXAMPLE} --at 2030-01-31T09:00:00Z`,
  ).action(async (blog, post, flags) => (await import('../commands/posts.ts')).publishPost(blog, post, flags));
  onDatabase(
    posts.command('unpublish <blog> <post>').description('make a post a draft, which readers do not see'),
  ).action(async (blog, post, flags) => (await import('../commands/posts.ts')).unpublishPost(blog, post, flags));
  onDatabase(
    posts
      .command('preview <blog> <post>')
      .description('print a link that shows a post of any status on its site for 24 hours')
      .requiredOption('--url <url>', 'page of the site that shows previews'),
    `broadsheet posts preview ${EXAMPLE} --url https://site.example/preview`,
  ).action(async (blog, post, flags) => (await import('../commands/posts.ts')).previewPost(blog, post, flags));
  addRecyclingCommands(posts, 'post');
}
