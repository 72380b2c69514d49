import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../tools/testing/site.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const unit = read('deploy/broadsheet@.service');

/** Runs the `ExecStartPost` of the unit for the process `pid` on a port, and resolves when it exits. */
async function afterStart(port: number, pid: number | undefined): Promise<void> {
  const script = /^ExecStartPost=-\/bin\/sh -c '(.*)'$/m.exec(unit)?.[1] ?? 'exit 1';
  const command = script.replaceAll('$$', '$').replaceAll('%i', String(port));
  const child = spawn('/bin/sh', ['-c', command], { env: { PATH: process.env['PATH'], MAINPID: String(pid) } });
  await once(child, 'exit');
}

it('the systemd unit has started when the process is ready', async () => {
  const statuses = [503, 503, 200];
  const site = await openSite((incoming, outgoing) => {
    outgoing.statusCode = incoming.url === '/readyz' ? (statuses.shift() ?? 200) : 404;
    outgoing.end();
  });
  onTestFinished(() => site.close());
  await afterStart(Number(new URL(site.url).port), process.pid);
  expect(statuses).toEqual([]);
});

it('the systemd unit does not wait for a process that has ended', async () => {
  const ended = spawn('/bin/true');
  await once(ended, 'exit');
  let asked = 0;
  const site = await openSite((_, outgoing) => {
    asked += 1;
    outgoing.writeHead(503).end();
  });
  onTestFinished(() => site.close());
  await afterStart(Number(new URL(site.url).port), ended.pid);
  expect(asked).toBe(0);
});

const analyze = ['/usr/bin/systemd-analyze'].find((path) => existsSync(path));

it.skipIf(!analyze).each(['broadsheet@.service', 'broadsheet-backup.service'])(
  'systemd rates the exposure of %s as at most 3',
  (name) => {
    const path = fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));
    const rated = execFileSync(analyze ?? '', ['security', '--offline=yes', path], { encoding: 'utf8' });
    expect(Number(/Overall exposure level for .*: ([\d.]+)/.exec(rated)?.[1])).toBeLessThanOrEqual(3);
  },
);

it.each(['deploy/nginx/upstream.conf', 'compose.yaml'])('nginx (%s) closes idle connections first', (path) => {
  const seconds = /^ *keepalive_timeout (\d+)s;$/m.exec(read(path))?.[1];
  // A stopping process closes them after seven seconds.
  expect(Number(seconds)).toBeLessThan(7);
});

it('every site that we ship or show listens on IPv4 and on IPv6', () => {
  const paths = ['deploy', 'docs', 'examples', 'packages/*/README.md', '*.md', 'compose.yaml'];
  const files = execFileSync('git', ['ls-files', '-z', ...paths], { cwd: fileURLToPath(ROOT), encoding: 'utf8' });
  const sites = files.split('\0').flatMap((path) => {
    const listens = [...(path ? read(path) : '').matchAll(/\blisten ([[\]:.\d]+)([^;]*);/g)];
    return listens.length > 0 ? [{ path, listens }] : [];
  });
  expect(sites.map(({ path }) => path)).toContain('deploy/nginx/site.conf');
  for (const { path, listens } of sites) {
    const ports = (family: RegExp) =>
      listens.filter(([, to]) => family.test(to ?? '')).map(([, to]) => to?.split(':').at(-1));
    expect(ports(/^(?:\d+\.\d+\.\d+\.\d+:)?\d+$/), path).toEqual(ports(/^\[/));
  }
});

it('images and actions are pinned by digest', () => {
  const files = ['Dockerfile', 'compose.yaml', '.github/workflows/check.yml', '.github/workflows/image.yml'];
  const used = files.flatMap((path) =>
    [...read(path).matchAll(/(?:^FROM|image:|uses:) +(\S+)/gm)].map(([, name]) => name),
  );
  expect(used.length).toBeGreaterThan(5);
  for (const name of used) expect(name).toMatch(/@(?:sha256:[\da-f]{64}|[\da-f]{40})$/);
});
