import type { Ads } from '../ads.ts';
import type { LayoutShift } from '../check/check.ts';
import { TOKEN_TTL } from '../delivery/creative.ts';
import { isCapped } from '../drawing/popup-moment.ts';
import { sheet } from '../drawing/style.ts';
import { nameOf, SELECTOR, setting } from '../slots/attributes.ts';
import { OPENINGS } from '../slots/formats.ts';
import type { Slot } from '../slots/slot.ts';
import { canBeSeen } from '../slots/visibility.ts';
import { unknownFormat } from './advice.ts';

const STYLE = `
:host{all:initial;position:fixed;inset:auto auto 0 0;z-index:2147483001;max-width:100vw;max-height:40vh;overflow:auto;
font:12px/1.5 ui-monospace,monospace;background:#111;color:#eee}
table{border-collapse:collapse}th,td{padding:2px 8px;text-align:start;border-bottom:1px solid #444}
footer{display:flex;gap:16px;align-items:center;padding:4px 8px}button{font:inherit;padding:4px 12px}`;
const COLUMNS = ['slot', 'format', 'state', 'because', 'ad', 'token age', 'seen', 'shift', 'bytes'];

/**
 * Shows what every slot of a client is doing, in a corner of the page, until the reader closes it or the returned function
 * is called. Loaded by `?broadsheet-debug` in the URL.
 */
export function showOverlay(ads: Ads): () => void {
  const panel = document.createElement('div');
  const root = panel.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet(STYLE)];
  document.body.append(panel);
  const shifts = new Map<Node, number>();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      for (const { node } of entry.sources ?? []) if (node) shifts.set(node, (shifts.get(node) ?? 0) + entry.value);
    }
  });
  // Other browsers ignore a type that they do not know.
  observer.observe({ type: 'layout-shift', buffered: true });
  const table = document.createElement('table');
  const totals = document.createElement('span');
  const close = Object.assign(document.createElement('button'), { textContent: 'Close', onclick: stop });
  const footer = document.createElement('footer');
  footer.append(close, totals);
  root.append(table, footer);
  const render = (): void => {
    const rows = (ads.inspect() as readonly Slot[]).map((slot) => rowOf(slot, shifts.get(slot.host)));
    table.replaceChildren();
    for (const [index, cells] of [COLUMNS, ...rows, ...notSlots(ads)].entries()) {
      const row = table.insertRow();
      for (const text of cells)
        row.append(Object.assign(document.createElement(index ? 'td' : 'th'), { textContent: text }));
    }
    const { clicks, ...counts } = ads.stats();
    totals.textContent = Object.entries({ ...counts, clicks: clicks.confirmed })
      .map(([name, count]) => `${name}: ${count}`)
      .join(' · ');
  };
  render();
  const timer = setInterval(render, 500);
  return stop;

  function stop(): void {
    clearInterval(timer);
    observer.disconnect();
    panel.remove();
  }
}

function rowOf(slot: Slot, shift = 0): string[] {
  const { slotId, format, state, delivered } = slot;
  const age = delivered ? `${Math.round((Date.now() - delivered.expiresAt) / 1000) + TOKEN_TTL} s` : '';
  const ad = [delivered?.ad.id.slice(0, 8) ?? '', age, delivered?.viewed ? 'yes' : ''];
  return [slotId, format, state, reason(slot), ...ad, shift.toFixed(3), `${bytesOf(delivered?.ad.imageUrl)}`];
}

function reason(slot: Slot): string {
  const { host, format, state, wanted, near } = slot;
  const around = host.parentElement?.closest(SELECTOR);
  if (around) return `inside ${shownName(around)}; close that tag with </broadsheet-slot>`;
  if (state === 'failed') return 'failed; see the console';
  if (state === 'empty') return 'there is no ad for it';
  if (state === 'requested') return 'waits for the response';
  if (!wanted) return '';
  if (!canBeSeen(slot)) return 'not displayed, or covered';
  if (near) return 'waits for the reader, its turn or consent';
  if (OPENINGS[format] === 'slot') return 'far from the viewport';
  return isCapped(host) ? 'this reader had a popup (see "every")' : 'waits for the reader to do something, and to stay';
}

/** One row for each element that is marked as a slot of this client but cannot be one. */
function notSlots(ads: Ads): string[][] {
  return [...document.querySelectorAll(SELECTOR)]
    .filter((host) => (setting(host, 'client') ?? '') === ads.client)
    .map((host) => [shownName(host), setting(host, 'format') ?? '', 'not a slot', unknownFormat(host) ?? ''])
    .filter(([, , , why]) => why);
}

const shownName = (host: Element): string => nameOf(host) || 'a slot without a name';

function bytesOf(address: string | null | undefined): number {
  const [entry] = address ? performance.getEntriesByName(address, 'resource') : [];
  return entry instanceof PerformanceResourceTiming ? entry.transferSize : 0;
}
