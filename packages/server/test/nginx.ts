import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';

/** The path of nginx; `undefined` if it is not installed. */
export const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find((path) => existsSync(path));
if (!nginx) {
  const news = 'nginx is not installed: deploy/nginx is not tested';
  if (process.env['REQUIRE_NGINX']) throw new Error(news);
  console.warn(`\n*** SKIPPED: ${news} ***\n`);
}

/** Starts nginx with the contents of an `http` block, and waits until `/metrics` returns the status `ready`. */
async function runNginx(folder: string, port: number, http: string, ready: number) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
    ${process.getuid?.() === 0 ? 'user root;' : ''} events {}
    http { ${temporary.join(' ')} ${http} }`;
  await writeFile(join(folder, 'nginx.conf'), main);
  const child = spawn(nginx ?? 'nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('nginx responds', async () => {
    if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
    return (await fetch(`${url}/metrics`).catch(() => undefined))?.status === ready;
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** The site that Debian's package of nginx enables. */
const DEBIAN_DEFAULT = `server {
  listen 80 default_server;
  listen [::]:80 default_server;
  server_name _;
  location / { return 404 "Welcome to nginx!"; }
}`;

interface NginxOptions {
  /** The file for its access log, in the folder. By default, requests are not logged. */
  readonly accessLog?: string;
  /** Changes site.conf. */
  readonly edit?: (site: string) => string;
  /** Whether Debian's default site is enabled too. */
  readonly beside?: 'debian-default';
}

/** Starts nginx with the files of deploy/nginx, on another port of 127.0.0.1 and of [::1]. */
export async function startNginx(
  folder: string,
  processes: readonly [number, number, number],
  { accessLog, edit = (site) => site, beside }: NginxOptions = {},
) {
  const port = await freePort();
  const onPort = (site: string) =>
    site.replace('listen 80', `listen 127.0.0.1:${port}`).replace('listen [::]:80', `listen [::1]:${port}`);
  const read = (name: string) => readFile(new URL(`../../../deploy/nginx/${name}`, import.meta.url), 'utf8');
  await mkdir(join(folder, 'conf.d'), { recursive: true });
  await writeFile(
    join(folder, 'conf.d/upstream.conf'),
    (await read('upstream.conf')).replace(/450([123])/g, (_, which: string) => String(processes[Number(which) - 1])),
  );
  await writeFile(join(folder, 'conf.d/site.conf'), edit(onPort(await read('site.conf'))));
  if (beside) await writeFile(join(folder, 'conf.d/default.conf'), onPort(DEBIAN_DEFAULT));
  const log = accessLog === undefined ? 'off' : resolve(folder, accessLog);
  return runNginx(folder, port, `access_log ${log}; include ${join(folder, 'conf.d/*.conf')};`, 404);
}

/** Starts nginx for one test as a plain proxy, whose errors are HTML pages. Returns its URL. */
export async function startPlainNginx(upstream: string, readTimeout = '1s'): Promise<string> {
  const port = await freePort();
  const server = `server { listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; proxy_read_timeout ${readTimeout}; }
    location /metrics { return 200; } }`;
  const started = await runNginx(temporaryFolder().path, port, `access_log off; ${server}`, 200);
  onTestFinished(() => started.stop());
  return started.url;
}

/** Sends a request from a given IP address of this machine, because nginx limits the requests of each IP address. */
export async function sendFrom(
  localAddress: string,
  url: string,
  { agent, body, ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }> {
  const sent = request(url, { ...options, localAddress, ...(agent !== undefined && { agent }) }).end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('no response');
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
