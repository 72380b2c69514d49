import type { AdCount } from '../ad-count.ts';
import { element } from './load-page.ts';

/** Milliseconds between two requests for the figures. */
const EVERY = 1_500;
/** Milliseconds after an ad's own event: the click is on its way while the event is dispatched. */
const SOON = 250;

/** Keeps the panel of impressions and clicks up to date while the reader can see it. */
export function startAdDesk(): void {
  const desk = element('#ad-desk');
  const [body, totals, news] = [element('#ad-desk tbody'), element('#ad-desk-totals'), element('#ad-desk-news')];
  const template = element('#ad-desk template') as HTMLTemplateElement;
  const rows = new Map<string, HTMLTableRowElement>();
  let timer: ReturnType<typeof setTimeout>;
  startToggle(desk);
  for (const type of ['filled', 'click']) document.addEventListener(`broadsheet:${type}`, () => look(SOON));
  document.addEventListener('visibilitychange', () => look(0));
  look(0);

  function look(after: number): void {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(() => void read().then(() => look(EVERY)), after);
  }

  async function read(): Promise<void> {
    try {
      const response = await fetch('/demo/stats', { headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
      show(await response.json());
      news.textContent = '';
    } catch {
      news.textContent = 'The server does not respond; the figures may be old.';
    }
  }

  function show(ads: readonly AdCount[]): void {
    for (const ad of ads) draw(ad);
    const sum = (of: 'impressions' | 'clicks') => ads.reduce((total, ad) => total + ad[of], 0);
    totals.textContent = `${sum('impressions')} shown · ${sum('clicks')} clicked`;
  }

  function draw({ id, title, format, active, impressions, clicks }: AdCount): void {
    const row = rows.get(id) ?? newRow(id, title, active ? format : `${format}, resting`);
    row.classList.toggle('resting', !active);
    for (const [column, count] of [impressions, clicks].entries()) write(row.cells[column + 1], count);
  }

  function newRow(id: string, title: string, kind: string): HTMLTableRowElement {
    body.append(document.importNode(template.content, true));
    const row = body.lastElementChild as HTMLTableRowElement;
    const [name, small] = [row.querySelector('span'), row.querySelector('small')];
    if (name) name.textContent = title;
    if (small) small.textContent = kind;
    rows.set(id, row);
    return row;
  }
}

/** Writes a count into its cell, which shows briefly that it changed. */
function write(cell: HTMLTableCellElement | undefined, count: number): void {
  if (!cell || cell.textContent === String(count)) return;
  cell.textContent = String(count);
  // Taken away and put back after a layout, so that the animation begins anew.
  cell.classList.remove('changed');
  void cell.offsetWidth;
  cell.classList.add('changed');
}

/** Opens and closes the panel; it begins open where there is room for it, and remembers for the tab. */
function startToggle(desk: HTMLElement): void {
  const button = element('#ad-desk button');
  const set = (open: boolean): void => {
    desk.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  const before = sessionStorage.getItem('ad-desk');
  set(before ? before === 'open' : matchMedia('(width >= 90rem)').matches);
  button.addEventListener('click', () => {
    const open = !desk.classList.contains('open');
    sessionStorage.setItem('ad-desk', open ? 'open' : 'closed');
    set(open);
  });
}
