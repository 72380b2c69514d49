import { readFileSync } from 'node:fs';
import { COMMANDS, type CommandTable, GROUPS } from '@broadsheet/management';
import { Command } from 'commander';
import { addCommands, BLOG, DATABASE, examples, onDatabase } from './commands.ts';
import { note, printJson, setEffect } from './output.ts';

/** The command line. Each command loads its code when it runs, so that all commands start fast. */
export function createProgram(
  commands: CommandTable = COMMANDS,
  groups: Readonly<Record<string, string>> = GROUPS,
): Command {
  const program = new Command('broadsheet')
    .description("A server for a blog's public content and its ads.")
    .version(version(), '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    // Those that only show something say so when they run.
    .hook('preAction', () => setEffect('write'))
    .configureOutput({ writeErr: (text) => note(text.trimEnd()) })
    .showHelpAfterError('(--help lists the arguments and flags)')
    .addHelpText(
      'after',
      examples('broadsheet demo', 'broadsheet import ./posts', 'broadsheet serve', 'broadsheet keys --help'),
    );
  addServers(program);
  addImport(program);
  addTransfers(program);
  addCommands(program, commands, groups);
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document')
    .option('--base-url <url>', 'base URL of the API in the document', '/')
    .addHelpText('after', examples('broadsheet openapi > openapi.json'))
    .action(async ({ baseUrl }) => {
      setEffect('read');
      const { openapi } = await import('@broadsheet/contract/schemas');
      printJson(openapi({ baseUrl }));
    });
  return program;
}

/** Commands that run until they are stopped. */
function addServers(program: Command): void {
  program
    .command('serve')
    .description('serve the API')
    .option('--port <number>', 'port to listen on; 0 selects a free one (default: PORT, or 4500)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, or all addresses if PORT is set)')
    .option('--ops-port <number>', 'serve /metrics, /docs, /openapi.json and /llms.txt only on this port')
    .option('--ops-host <address>', 'address of that port (default: 127.0.0.1)')
    .option(...DATABASE)
    .option('--import <path>', 'import a snapshot, a Markdown folder or a Ghost export first')
    .addHelpText(
      'after',
      examples(
        'broadsheet serve --import blog.json',
        'broadsheet serve --host :: --database postgres://localhost/blog',
      ),
    )
    .addHelpText('after', environment)
    .action(async (flags) => (await import('../commands/serve.ts')).serve(flags));
  program
    .command('demo')
    .description('serve a sample blog with a site in the browser, in a temporary database')
    .option('--port <number>', 'port to listen on; 0 selects a free one', '4500')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--import <path>', 'show this content instead of the sample')
    .addHelpText('after', examples('broadsheet demo', 'broadsheet demo --import ./posts'))
    .action(async (flags) => (await import('../commands/demo.ts')).demo(flags));
}

function addImport(program: Command): void {
  onDatabase(
    program
      .command('import')
      .description('import a snapshot (JSON), a folder of Markdown, or a Ghost export (JSON), completely or not at all')
      .argument('<path>', 'the file or folder')
      .option('--blog <id>', 'id of the blog for a folder or a Ghost export (default: derived from its name)')
      .option('--name <name>', 'name of that blog (default: the title of the Ghost site, or the id of a new blog)')
      .option(
        '--prune',
        'also delete posts, categories and tags that the source no longer has; ads, campaigns and keys stay',
      )
      .option('--media <dir>', 'the images of a snapshot, as export wrote them; their URLs become URLs of this server')
      .option('--root <dir>', 'folder of the site, to which absolute paths of images refer')
      .option(
        '--allow-missing',
        'leave references to images that are missing or cannot be stored as written, and list them',
      )
      .option('--allow-moved-urls', 'let published posts get other URLs')
      .option('--skip-bad', 'leave out files of a folder that cannot be used, and list them')
      .option('--html', 'store the Markdown of a folder as HTML; sanitize it before you show it')
      .option('--dry-run', 'show what an import would do, without writing anything'),
    'broadsheet import blog.json',
    'broadsheet import ./posts --blog news --name "The News"',
    'broadsheet import ./posts --blog news --prune',
    'broadsheet import ./content/posts --root ./static',
    'broadsheet import news.json --media ./news-media',
  ).action(async (path, flags) => (await import('../commands/import.ts')).importPath(path, flags));
}

/** Commands that move whole blogs and databases. */
function addTransfers(program: Command): void {
  program
    .command('export')
    .description('print a blog as a snapshot that import accepts')
    .argument('<blog>', BLOG)
    .option('--media <dir>', 'also write its stored images into this folder')
    .option(...DATABASE)
    .addHelpText(
      'after',
      examples('broadsheet export news > news.json', 'broadsheet export news --media ./news-media > news.json'),
    )
    .action(async (blog, flags) => {
      setEffect('read');
      await (await import('../commands/export.ts')).exportBlog(blog, flags);
    });
  program
    .command('copy')
    .description('copy a database into an empty one: content, keys, counts, people and secret, even while it is in use')
    .argument('<from>', 'sqlite:PATH, postgres://…, or https://… of a deployment')
    .argument('<to>', 'an empty database, in one of the same forms')
    .option('--json', 'print the rows copied as JSON')
    .option(
      '--keep <number>',
      'afterwards, keep only this many of the copies next to TO whose names differ only in the date',
    )
    .addHelpText(
      'after',
      examples(
        'broadsheet copy sqlite:./broadsheet.db postgres://localhost/blog',
        'broadsheet copy postgres://localhost/blog sqlite:./backup.db',
        'broadsheet copy sqlite:./broadsheet.db sqlite:./backup-2026-01-31.db --keep 14',
        'broadsheet copy sqlite:./broadsheet.db https://blog.example',
      ),
    )
    .addHelpText('after', '\nFor a deployment on Workers, set BROADSHEET_ADMIN_TOKEN to its secret ADMIN_TOKEN.')
    .action(async (from, to, flags) => (await import('../commands/copy.ts')).copy(from, to, flags));
}

const environment = `
Environment of serve:
  DATABASE_URL       the database, if --database is not given
  PORT, HOST         port and address, if --port and --host are not given
  PUBLIC_URL         URL that clients use, behind a proxy
  DOCS_URL           where error pages are (default: the server itself)
  TRUST_PROXY        addresses of proxies whose X-Forwarded-For is believed, or their number (default: 0)
  DATABASE_POOL      connections to PostgreSQL (default: 10)
  DATABASE_TIMEOUT   seconds a statement of PostgreSQL may take, 0 for no limit (default: 10)
  RATE_LIMIT         requests per second and key (default: unlimited)
  RATE_LIMIT_ADDRESS     requests per second and IP address (default: unlimited)
  RATE_LIMIT_SLOTS       ad slots per second and IP address (default: 1000, off for none)
  BROADSHEET_SECRET  signs click tokens (default: a random one stored in the database)
  ALLOW_PRIVATE_WEBHOOKS  1 also sends webhooks to addresses that are not public
  LOG_LEVEL          debug, info, warn, error or silent (default: info)
DATABASE_URL_FILE and BROADSHEET_SECRET_FILE name files that hold the value.`;

/** The version in the manifest of the package. */
function version(): string {
  const file = import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json';
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).version;
}
