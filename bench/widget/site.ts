import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OPENINGS } from '../../packages/ad-widget/src/slots/formats.ts';
import { widgetFiles } from '../../packages/ad-widget/tools/files.ts';
import { AD_FORMATS } from '../../packages/contract/src/index.ts';
import { floor } from './floor.ts';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const FORMATS = AD_FORMATS.filter((format) => OPENINGS[format] === 'slot');

/** One server with two hosts, `localhost` for the page and `127.0.0.1` for the API, so that POSTs need a preflight. */
export async function openSite() {
  const files: ReadonlyMap<string, string> = await widgetFiles();
  const requests: string[] = [];
  const pictures: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    response
      .setHeader('Access-Control-Allow-Origin', '*')
      .setHeader('Access-Control-Allow-Headers', 'X-API-Key, Content-Type');
    const file = path === '/floor.js' ? floor(`${origin}/api`) : files.get(path.slice(1));
    if (path.startsWith('/api/') || path.endsWith('.js')) requests.push(`${request.method} ${path}`);
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else if (path.startsWith('/api/')) request.on('data', (body) => response.end(responseTo(String(body), origin)));
    else if (path === '/ad.gif') {
      pictures.push(request.url ?? '');
      response.setHeader('Content-Type', 'image/gif').end(PIXEL);
    } else if (file !== undefined) {
      response.setHeader('Content-Type', path.endsWith('js') ? 'text/javascript' : 'text/css').end(file);
    } else response.setHeader('Content-Type', 'text/html').end(markup(path === '/floor', origin));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    page: (kind: 'floor' | 'widget') => `http://localhost:${port}/${kind}`,
    /** The requests of a page for scripts and ads. */
    requests,
    /** The requests for images of ads, one for each ad that is rendered. */
    pictures,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function markup(byHand: boolean, api: string): string {
  const slots = FORMATS.flatMap((format) =>
    [0, 1, 2, 3, 4].map((n) => `<broadsheet-slot name="${format}${n}" format="${format}"></broadsheet-slot>`),
  );
  return `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/broadsheet.css">
<script defer src="/${byHand ? 'floor' : 'broadsheet'}.js" data-base-url="${api}/api" data-api-key="k"></script>${slots.join('')}`;
}

function responseTo(body: string, api: string): string {
  const { slots }: { slots: object[] } = JSON.parse(body);
  return JSON.stringify(
    slots.map((slot, index) => ({
      ...slot,
      filled: true,
      id: `ad-${index}`,
      title: 'An ad',
      content: 'with a few words',
      linkText: 'Read more',
      linkUrl: 'https://shop.example/',
      imageUrl: `${api}/ad.gif?${index}`,
      clickToken: `token-${index}`,
    })),
  );
}
