import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

// Tests, tools and measurements run what users run: programs with their default settings. A limit that is changed there
// hides what the default does to users.

const PRIVATE = 'its receivers of webhooks are on this machine';
const SUBJECT = 'this setting is what it tests';

/** Every file that changes a limit or a switch of the product, with the reason. */
const CHANGED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'bench/server/webhooks.ts': { ALLOW_PRIVATE_WEBHOOKS: PRIVATE },
  'packages/demo/src/start-demo.ts': { allowPrivate: 'its receiver of webhooks is the demo itself' },
  'packages/http/src/create-server.test.ts': { rateLimits: SUBJECT },
  'packages/http/src/limits/rate-limits.test.ts': { rateLimits: SUBJECT },
  'packages/http/src/webhooks/send-request.test.ts': { allowPrivate: SUBJECT },
  'packages/server/src/database/database.test.ts': { DATABASE_TIMEOUT: SUBJECT },
  'packages/server/test/database-away.long.test.ts': {
    DATABASE_TIMEOUT: 'it waits for many statements that are never answered',
    DATABASE_POOL: 'it needs a request for which no connection is free',
  },
  'packages/server/test/frameworks.long.test.ts': { ALLOW_PRIVATE_WEBHOOKS: PRIVATE },
  'packages/server/test/remote.test.ts': { allowPrivateWebhooks: PRIVATE },
  'packages/server/test/webhooks-of-processes.long.test.ts': {
    ALLOW_PRIVATE_WEBHOOKS: SUBJECT,
    allowPrivateWebhooks: PRIVATE,
  },
  'packages/server/test/webhooks.long.test.ts': { ALLOW_PRIVATE_WEBHOOKS: PRIVATE },
  'packages/server/test/workflow.long.test.ts': { ALLOW_PRIVATE_WEBHOOKS: PRIVATE },
  'tools/prove/deployment.ts': { ALLOW_PRIVATE_WEBHOOKS: PRIVATE },
};

/** Files that start the server by a command, with the reason why they do not use a helper. */
const STARTS: Readonly<Record<string, string>> = {
  'bench/server/serve.ts': 'the helper of the measurements',
  'bench/server/start-up.ts': 'it compares the source with the built file',
  'packages/sdk/test/runtimes/runtime.ts': 'it starts workerd',
  'packages/server/test/broadsheet.ts': 'the helper of the tests',
  'tools/first-ad/programs.ts': 'it starts what a publisher starts',
  'tools/packages.long.test.ts': 'it starts the installed package',
};

const SETTING =
  '\\b(RATE_LIMIT(?:_[A-Z]+)?|DATABASE_TIMEOUT|DATABASE_POOL|ALLOW_PRIVATE_WEBHOOKS|rateLimits|allowPrivate(?:Webhooks)?)\\b';
const TYPES = '(?:undefined|number|boolean|RateLimits|string)\\b';
/** Where a setting is changed: in the environment, by an option or its shorthand, or on a command line. */
const CHANGE = new RegExp(`(?:${SETTING}['"]?(?:\\]?\\s*[:=]|', )(?!\\s*${TYPES})|[{,]\\s*${SETTING}\\s*[,}])`, 'g');
const START = /\[[^\]]*'serve'/;

const CODE = ['ts', 'tsx', 'mts', 'js', 'mjs', 'json', 'sh', 'yml', 'yaml'];

/** Everything that starts the product, except for its sources and the files that its users deploy. */
const files = execFileSync(
  'git',
  ['ls-files', '-z', '-co', '--exclude-standard', 'packages', 'tools', 'bench', 'examples', '.github', 'package.json'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\0')
  .filter((path) => CODE.includes(path.split('.').at(-1) ?? '') && existsSync(join(root, path)))
  .filter((path) => !/^packages\/[^/]+\/src\//.test(path) || /\.test\.tsx?$|^packages\/demo\//.test(path))
  // Settings that are only read, or that are refused, start nothing.
  .filter((path) => !/^packages\/server\/src\/(?:settings|program)\/|^tools\/settings\.test\.ts$/.test(path));

const changesIn = (text: string) =>
  [...new Set([...text.matchAll(CHANGE)].map(([, name, short]) => name ?? short ?? ''))].sort();

test.each([
  ["{ env: { RATE_LIMIT_SLOTS: 'off' } }", ['RATE_LIMIT_SLOTS']],
  ["process.env['RATE_LIMIT'] = '5'", ['RATE_LIMIT']],
  ["vi.stubEnv('DATABASE_TIMEOUT', '0')", ['DATABASE_TIMEOUT']],
  ['RATE_LIMIT_ADDRESS=9 broadsheet serve', ['RATE_LIMIT_ADDRESS']],
  ['createServer({ store, rateLimits: { slots: Infinity } })', ['rateLimits']],
  ['serve({ store, rateLimits })', ['rateLimits']],
  ['function start(rateLimits: RateLimits) {}', []],
  ["code: 'RATE_LIMITED', status: 429", []],
])('%s changes %j', (text, names) => {
  expect(changesIn(text)).toEqual(names);
});

test('limits and switches keep their defaults, except where the reason is listed', () => {
  const found = files.flatMap((path) => {
    const names = changesIn(readFileSync(join(root, path), 'utf8'));
    return names.length > 0 ? [[path, names] as const] : [];
  });
  const listed = Object.entries(CHANGED).map(([path, reasons]) => [path, Object.keys(reasons).sort()] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

test('servers are started by a helper, which passes no variable of this machine on', () => {
  const found = files.filter((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return START.test(text) && /\b(?:spawn|startServer)\(/.test(text);
  });
  expect(found.sort()).toEqual(Object.keys(STARTS).sort());
});
