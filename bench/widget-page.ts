import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright';
import type { BenchOptions, Finding } from './budget.ts';
import { root } from './child.ts';
import { median } from './median.ts';

/** The least a page can do by hand: one request for all, a text, a picture and a checked link each, a click that is posted. */
const FLOOR = `(async()=>{const h={'X-API-Key':'k','Content-Type':'application/json'},s=[...document.querySelectorAll('broadsheet-slot')],
p=(u,b,k)=>fetch('/api/public/ads/'+u,{method:'POST',headers:h,body:JSON.stringify(b),keepalive:k}),
r=await(await p('formats',{slots:s.map(e=>({slotId:e.getAttribute('name'),format:e.getAttribute('format')}))})).json();
r.forEach((a,i)=>{if(!a.filled||!/^https?:/.test(a.linkUrl))return;const l=document.createElement('a'),m=new Image,t=document.createElement('span');
l.href=a.linkUrl;m.src=a.imageUrl;t.textContent=a.title+' '+a.content;l.append(m,t);
l.onclick=()=>p('tracking/click',{clickToken:a.clickToken},true);s[i].append(l)})})()`;
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const FORMATS = ['BANNER', 'SIDEBAR', 'INLINE', 'NATIVE'];
const names = { floor: '/floor.js', widget: '/broadsheet.js' };

interface Load {
  readonly script: number;
  readonly requests: number;
  readonly shift: number;
  readonly longTasks: number;
}

/** Twenty slots in view: script time beside a hand-written floor, ad requests with the preflight, layout shift. */
export async function widgetPage({ quick, say }: BenchOptions): Promise<Finding[]> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) throw new Error('Chromium is not installed');
  say('widget page: 20 slots in Chromium');
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    response
      .setHeader('Access-Control-Allow-Origin', '*')
      .setHeader('Access-Control-Allow-Headers', 'X-API-Key, Content-Type');
    if (path.startsWith('/api/') || /^\/(broadsheet.*|floor)\.js$/.test(path))
      requests.push(`${request.method} ${path}`);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (path.startsWith('/api/')) return void request.on('data', (body) => response.end(answer(String(body), api)));
    if (path === '/ad.gif') return void response.setHeader('Content-Type', 'image/gif').end(PIXEL);
    if (path === '/floor.js')
      return void response.setHeader('Content-Type', 'text/javascript').end(FLOOR.replace('/api/', `${api}/api/`));
    if (/^\/broadsheet[\w-]*\.(js|css)$/.test(path)) {
      response.setHeader('Content-Type', path.endsWith('js') ? 'text/javascript' : 'text/css');
      return void response.end(readFileSync(`${root}packages/ad-widget/dist${path}`));
    }
    const name = path === '/floor' ? names.floor : names.widget;
    return void response.setHeader('Content-Type', 'text/html').end(`<!doctype html><link rel="icon" href="data:,">
<link rel="stylesheet" href="/broadsheet.css"><script defer src="${name}" data-base-url="${api}/api" data-api-key="k"></script>
${FORMATS.flatMap((format) => [0, 1, 2, 3, 4].map((n) => `<broadsheet-slot name="${format}${n}" format="${format}"></broadsheet-slot>`)).join('')}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const api = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const loads = { floor: [] as Load[], widget: [] as Load[] };
    for (let round = 0; round < (quick ? 3 : 9); round++) {
      for (const kind of ['floor', 'widget'] as const) {
        requests.length = 0;
        loads[kind].push(await load(browser, `http://localhost:${port}/${kind}`, () => requests.length));
      }
    }
    const of = (kind: 'floor' | 'widget', what: keyof Load): number => median(loads[kind].map((one) => one[what]));
    return [
      {
        id: 'widget.script-time',
        ours: of('widget', 'script'),
        reference: of('floor', 'script'),
        note: `median of ${loads.widget.length} loads; long tasks: ${of('widget', 'longTasks')}`,
      },
      { id: 'widget.requests', ours: of('widget', 'requests'), note: 'script, preflight, batch' },
      { id: 'widget.layout-shift', ours: Math.max(...loads.widget.map(({ shift }) => shift)) },
    ];
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function load(browser: Browser, url: string, requests: () => number): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 6000 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  await page.goto(url);
  // Not `waitFor`: what it runs in the page would be counted with the script.
  await page.waitForTimeout(400);
  const { metrics } = await devtools.send('Performance.getMetrics');
  const counted = requests();
  await page.locator('broadsheet-slot[name=NATIVE4] a').waitFor();
  const seen = await page.evaluate(
    () =>
      new Promise<{ shift: number; longTasks: number }>((resolve) => {
        let shift = 0;
        let longTasks = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if (entry.entryType === 'longtask') longTasks++;
            else if ('value' in entry) shift += Number(entry.value);
          }
        });
        for (const type of ['layout-shift', 'longtask']) observer.observe({ type, buffered: true });
        setTimeout(() => resolve({ shift, longTasks }), 50);
      }),
  );
  await context.close();
  const script = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1000;
  return { script, requests: counted, ...seen };
}

function answer(body: string, api: string): string {
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
