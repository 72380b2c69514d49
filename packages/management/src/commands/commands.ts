import { ads } from './ads.ts';
import { bin } from './bin.ts';
import { blogs } from './blogs.ts';
import { campaigns } from './campaigns.ts';
import { hooks } from './hooks.ts';
import { imports } from './imports.ts';
import { keys } from './keys.ts';
import { media } from './media.ts';
import { people } from './people.ts';
import { posts } from './posts.ts';
import { stats } from './stats.ts';
import { tokens } from './tokens.ts';

/** Everything that an operator can do, by name. The groups are in the files of the same names. */
export const COMMANDS = {
  ...blogs,
  ...keys,
  ...posts,
  ...ads,
  ...campaigns,
  ...bin,
  ...hooks,
  ...media,
  ...imports,
  ...people,
  ...tokens,
  ...stats,
};

/** The texts of the groups in `--help`. */
export const GROUPS: Readonly<Record<string, string>> = {
  blogs: 'list, create, rename and delete blogs, and change their domains and time zones',
  keys: 'list, create, rotate and revoke API keys',
  posts: 'list, publish, preview, unpublish and delete posts',
  ads: 'list, add, edit, pause and delete ads',
  campaigns: 'list, add, edit, delete and report on campaigns',
  hooks: 'list, add, test, rotate and delete webhooks',
  media: 'move stored images',
  panel: 'manage access to the panel in the browser',
  bin: 'list deleted items',
  tokens: 'create, list and revoke tokens for management over HTTP',
};

export type CommandName = keyof typeof COMMANDS;
