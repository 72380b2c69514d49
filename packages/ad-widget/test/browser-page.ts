import { afterEach, expect } from 'vitest';
import {
  type Ads,
  type AdsOptions,
  createAds,
  type SlotRequest,
  type SlotResult,
  type Transport,
} from '../src/index.ts';

/** A filled result for a slot; its token contains the slot's name and a sequence number. */
export function filled(request: SlotRequest, more: Partial<Extract<SlotResult, { filled: true }>> = {}): SlotResult {
  return {
    ...request,
    filled: true,
    id: crypto.randomUUID(),
    title: `Ad for ${request.slotId}`,
    content: 'What it says',
    linkText: 'Read more',
    linkUrl: 'https://advertiser.example/',
    clickToken: `${request.slotId}#${++counter}`,
    ...more,
  };
}
let counter = 0;

/** A transport that records its requests. */
export function recorder(respond: (request: SlotRequest) => SlotResult = filled) {
  const batches: (readonly SlotRequest[])[] = [];
  const clicks: { clickToken: string; keepalive: boolean }[] = [];
  const transport: Transport = {
    deliverBatch: async (slots) => {
      batches.push(slots);
      return slots.map(respond);
    },
    click: async (clickToken, { keepalive }) => {
      clicks.push({ clickToken, keepalive });
    },
  };
  return { batches, clicks, transport };
}

/** Interacts and stays until a popup has opened. Repeated, because its file may not have loaded the first time. */
export async function actUntil(there: () => unknown): Promise<void> {
  const act = () => window.dispatchEvent(new PointerEvent('pointerdown')) && !!there();
  await expect.poll(act, { interval: 1500, timeout: 20_000 }).toBe(true);
}

const running: Ads[] = [];

/** Starts a client that is destroyed at the end of the test. */
export function start(options: Partial<AdsOptions>): Ads {
  const ads = createAds({ baseUrl: 'https://api.invalid', apiKey: 'key', ...options });
  running.push(ads);
  return ads;
}

/** Puts markup into the page, and prevents its links from leaving the page. */
export function page(html: string): void {
  document.body.innerHTML = html;
}

/** Waits for the next `broadsheet:<type>` event anywhere in the page. */
export function next(type: string): Promise<CustomEvent> {
  return new Promise((resolve) => {
    document.addEventListener(`broadsheet:${type}`, (event) => event instanceof CustomEvent && resolve(event), {
      once: true,
    });
  });
}

/** The slot of this name, in either form of markup. */
export function host(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[name="${name}"],[data-broadsheet-slot="${name}"]`);
  if (!found) throw new Error(`the page has no slot ${name}`);
  return found;
}

/** The element of this class in the shadow root of the first slot that `selector` finds. */
export function inside(selector: string, part: string): HTMLElement | null | undefined {
  return document.querySelector(selector)?.shadowRoot?.querySelector<HTMLElement>(part);
}

/** Waits for frames, so that observers and scheduled work have run. */
export async function frames(count = 3): Promise<void> {
  for (let frame = 0; frame < count; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

// A prevented click does not count, so this prevents it after all other listeners, including those of the widget.
const stayHere = (event: Event): void => event.preventDefault();
for (const type of ['click', 'auxclick']) {
  document.addEventListener(type, () => window.addEventListener(type, stayHere, { once: true }));
}

afterEach(() => {
  for (const ads of running.splice(0)) ads.destroy();
  document.body.replaceChildren();
  sessionStorage.clear();
  localStorage.clear();
  scrollTo(0, 0);
});
