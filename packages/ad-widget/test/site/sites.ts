import { afterAll, beforeAll } from 'vitest';
import { openSite, type Site } from '../../../../tools/testing/site.ts';
import { widgetFiles } from '../../tools/files.ts';
import { type Api, KEY, serveApi } from './api.ts';

/** A publisher, an API and an advertiser, each on its own origin, with the published script. */
export interface Sites {
  readonly api: Api;
  readonly advertiser: Site;
  readonly publisher: Site;
  /**
   * The publisher's page: its markup, the markup that follows 300 ms later, its policy, its report-only policy, and the
   * suffix of the files that cannot be loaded.
   */
  readonly page: { html: string; later: string; policy: string; reportOnly: string; broken: string };
  /** The paths under which the page was requested. */
  readonly visits: string[];
  /** A head that loads the widget; `more` are attributes of the script tag. */
  head(more?: string): string;
  /** The strictest policy that lets the widget work. */
  strict(): string;
  close(): Promise<void>;
}

/** A pixel, for ads with a picture. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPhfDwAEhAGAnvZ3CwAAAABJRU5ErkJggg==';

/** The sites of a group of tests, open while its tests run. @param extra More files of the publisher, by path. */
export function useSites(extra?: Readonly<Record<string, string>>): Sites {
  let sites: Sites | undefined;
  beforeAll(async () => {
    sites = await openSites(extra);
  });
  afterAll(() => sites?.close());
  return new Proxy({} as Sites, {
    get(_, name: keyof Sites) {
      if (!sites) throw new Error('the sites are open while the tests of their group run, not before');
      return sites[name];
    },
  });
}

/** @param extra More files of the publisher, by path. */
export async function openSites(extra: Readonly<Record<string, string>> = {}): Promise<Sites> {
  const files: ReadonlyMap<string, string> = await widgetFiles();
  const page = { html: '', later: '', policy: '', reportOnly: '', broken: '' };
  const visits: string[] = [];
  const advertiser = await openSite((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<link rel="icon" href="data:,"><h1>Arrived</h1>');
  });
  const api = await serveApi(`${advertiser.url}/`);
  const publisher = await openSite((request, response) => {
    const [name = ''] = request.url?.slice(1).split('?') ?? [];
    if (page.broken && name.endsWith(page.broken)) return void request.socket.destroy();
    const file = files.get(name) ?? extra[name];
    if (file !== undefined) {
      // Every host of the files must send this header: frames without an origin, and other origins, load the on-demand
      // files from it.
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Content-Type', name.endsWith('.css') ? 'text/css' : 'text/javascript').end(file);
    } else if (name === 'ad.png') {
      response.setHeader('Content-Type', 'image/png').end(Buffer.from(PIXEL, 'base64'));
    } else {
      visits.push(`/${name}`);
      if (page.policy) response.setHeader('Content-Security-Policy', page.policy);
      if (page.reportOnly) response.setHeader('Content-Security-Policy-Report-Only', page.reportOnly);
      response.setHeader('Content-Type', 'text/html').write(page.html);
      if (page.later) setTimeout(() => response.end(page.later), 300);
      else response.end();
    }
  });
  return {
    api,
    advertiser,
    publisher,
    page,
    visits,
    head: (more = '') => `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/broadsheet.css">
<script async src="/broadsheet.js" data-base-url="${api.url}" data-api-key="${KEY}" ${more}></script>`,
    strict: () =>
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${api.url}; img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none'`,
    close: async () => {
      await Promise.all([api, advertiser, publisher].map((site) => site.close()));
    },
  };
}
