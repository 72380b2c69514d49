import type { Page } from 'playwright';
import type { Ads } from '../../src/index.ts';
import type { Sites } from './sites.ts';

/** Slots in the page that the readers go through. */
export const SLOTS = 15;
const TEXT = `<p style="height: 500px">Words of the page.</p>`;

/** The result of a reader's path through a page. */
export interface Way {
  /** Impressions the API counted. */
  readonly delivered: number;
  readonly viewable: number;
}

/** A page of 15 slots between texts, the last of them before the comments. */
export function longPage(sites: Sites, formats: readonly string[] = ['BANNER']): string {
  const slots = Array.from(
    { length: SLOTS },
    (_, index) =>
      `<broadsheet-slot name="s${index}" format="${formats[index % formats.length]}"></broadsheet-slot>${TEXT}`,
  );
  return `${sites.head()}<body><a href="#comments" style="position: fixed; right: 0">Comments</a>${TEXT}${slots.join('')}<h2 id="comments">Comments</h2><p style="height: 900px">One.</p>`;
}

/** Ways to get past slots without reading. */
export const WAYS: Readonly<Record<'jump' | 'smooth scroll' | 'End' | 'wheel', (page: Page) => Promise<unknown>>> = {
  jump: (page) => page.click('a'),
  'smooth scroll': (page) =>
    page.evaluate(() => {
      document.documentElement.style.scrollBehavior = 'smooth';
      location.hash = 'comments';
    }),
  End: (page) => page.keyboard.press('End'),
  wheel: async (page) => {
    await page.mouse.move(400, 400);
    for (let notch = 0; notch < 45; notch++) {
      await page.mouse.wheel(0, 200);
      await frames(page, 2);
    }
  },
};

/** Opens the page, reads what is in view, takes a way past the slots, and stays where it ends. */
export async function goThrough(page: Page, { api, publisher }: Sites, way: keyof typeof WAYS): Promise<Way> {
  const before = api.delivered;
  await page.goto(publisher.url);
  await page.waitForFunction(clientOfPage);
  await page.waitForFunction(() => document.readyState === 'complete');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await WAYS[way](page);
  await settled(page);
  return { delivered: api.delivered - before, viewable: (await statsOf(page)).viewable };
}

/** How many slots were already filled when half of the slot was in view, for a reader who scrolls at a steady pace. */
export async function readThrough(page: Page, { publisher }: Sites, pixelsPerSecond: number): Promise<number> {
  await page.goto(publisher.url);
  await page.waitForFunction(clientOfPage);
  return page.evaluate(
    (pace) =>
      new Promise<number>((resolve) => {
        let filled = 0;
        const observer = new IntersectionObserver(
          (entries) => {
            for (const { target, intersectionRatio } of entries) {
              if (intersectionRatio < 0.5) continue;
              observer.unobserve(target);
              if (target.shadowRoot?.querySelector('a')) filled++;
            }
          },
          { threshold: 0.5 },
        );
        const start = performance.now();
        let watched = false;
        const step = (): void => {
          // The first second is for reading what is in view when the page opens.
          const time = performance.now() - start - 1000;
          if (time > 0 && !watched) {
            watched = true;
            for (const slot of document.querySelectorAll('broadsheet-slot')) observer.observe(slot);
          }
          scrollTo(0, Math.max(0, (time * pace) / 1000));
          if (scrollY + innerHeight < document.documentElement.scrollHeight - 5) requestAnimationFrame(step);
          else resolve(filled);
        };
        step();
      }),
    pixelsPerSecond,
  );
}

function clientOfPage(): Ads | undefined {
  return window.broadsheet?.clients?.[0];
}

const statsOf = async (page: Page) => {
  const client = await page.evaluateHandle(clientOfPage);
  return page.evaluate((ads) => ads?.stats() ?? Promise.reject(new Error('no client')), client);
};

function frames(page: Page, count: number): Promise<void> {
  return page.evaluate(async (frame) => {
    for (; frame > 0; frame--) await new Promise(requestAnimationFrame);
  }, count);
}

/** Waits until scrolling has stopped and the slots in view have been visible for longer than a second. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let [place, still] = [-1, performance.now()];
    while (performance.now() - still < 2500) {
      await new Promise(requestAnimationFrame);
      if (scrollY !== place) [place, still] = [scrollY, performance.now()];
    }
  });
}
