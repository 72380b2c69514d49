import type { Browser } from 'playwright';
import { launchChromium } from '../../tools/testing/browsers.ts';
import { waitUntil } from '../../tools/testing/wait-until.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { CATEGORIES, scriptTime } from './script-time.ts';
import { openSite } from './site.ts';

type Site = Awaited<ReturnType<typeof openSite>>;
type Kind = 'floor' | 'widget';
/**
 * The number of page loads per client. A load is a few milliseconds of code that runs for the first time, so loads vary
 * by a third.
 */
const LOADS = 40;
const SLOTS = 20;
/** Milliseconds of measurement after the last ad is rendered. */
const AFTERWARDS = 200;
interface Load {
  readonly script: number;
  readonly requests: number;
  readonly shift: number;
  /** The longest uninterrupted run of scripts, in milliseconds. */
  readonly longest: number;
}

/** Twenty visible slots: script time compared with a hand-written client, requests with the preflight, layout shift. */
export async function page({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('widget page: 20 slots in Chromium');
  const browser = await launchChromium();
  const site = await openSite();
  try {
    const loads: Record<Kind, Load[]> = { floor: [], widget: [] };
    for (let round = 0; round < (quick ? 8 : LOADS); round++) {
      // Alternate the order, so that neither always runs second.
      for (const kind of round % 2 ? (['widget', 'floor'] as const) : (['floor', 'widget'] as const)) {
        loads[kind].push(await load(browser, site, kind));
      }
    }
    const of = (kind: Kind, what: keyof Load): number => median(loads[kind].map((one) => one[what]));
    return [
      {
        id: 'widget.script-time',
        ours: of('widget', 'script'),
        reference: of('floor', 'script'),
        note: `medians of ${loads.widget.length} alternating loads each, thread time with microtasks; EthicalAds' client and Revive's tag are in no package registry and not compared`,
      },
      { id: 'widget.requests', ours: of('widget', 'requests'), note: 'script, preflight, batch' },
      { id: 'widget.layout-shift', ours: Math.max(...loads.widget.map(({ shift }) => shift)) },
      { id: 'widget.long-tasks', ours: Math.max(...loads.widget.map(({ longest }) => longest)), note: 'thread time' },
    ];
  } finally {
    await browser.close();
    site.close();
  }
}

async function load(browser: Browser, site: Site, kind: Kind): Promise<Load> {
  const { requests, pictures } = site;
  const url = site.page(kind);
  requests.length = pictures.length = 0;
  const context = await browser.newContext({ viewport: { width: 1280, height: 6000 } });
  const page = await context.newPage();
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.goto(url);
  // Not `waitFor`, because its own script in the page would be counted.
  await waitUntil(`${url}: ${SLOTS} ads are rendered`, () => pictures.length === SLOTS);
  await page.waitForTimeout(AFTERWARDS);
  const { sum, longest } = scriptTime(await browser.stopTracing(), url);
  const counted = requests.length;
  await page.locator('broadsheet-slot[name=NATIVE4] a').waitFor();
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ('value' in entry) moved += Number(entry.value);
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(moved), 50);
      }),
  );
  await context.close();
  return { script: sum, longest, requests: counted, shift };
}
