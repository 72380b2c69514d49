import type { AdCount } from '../ad-count.ts';
import { el, shell } from './element.ts';

/** Milliseconds between two looks at the books. */
const EVERY = 1_500;
/** Milliseconds after an ad's own event: the click is on its way while the event is dispatched. */
const SOON = 250;

/** Keeps the panel of impressions and clicks up to date while the reader can see it. */
export function startAdDesk(): void {
  const desk = shell('#ad-desk');
  const [body, totals, news] = [shell('#ad-desk tbody'), shell('#ad-desk-totals'), shell('#ad-desk-news')];
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
      const answer = await fetch('/demo/stats', { headers: { accept: 'application/json' } });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
      show((await answer.json()) as AdCount[]);
      news.textContent = '';
    } catch {
      news.textContent = 'The server does not answer; the figures may be old.';
    }
  }

  function show(ads: readonly AdCount[]): void {
    for (const ad of ads) draw(ad);
    const sum = (of: 'impressions' | 'clicks') => ads.reduce((total, ad) => total + ad[of], 0);
    totals.textContent = `${sum('impressions')} shown · ${sum('clicks')} clicked`;
  }

  function draw({ id, title, format, active, impressions, clicks }: AdCount): void {
    let row = rows.get(id);
    if (!row) {
      const name = el('th', { scope: 'row' }, title, el('small', {}, active ? format : `${format}, resting`));
      row = el('tr', { 'data-ad': id }, name, el('td', {}, '0'), el('td', {}, '0'));
      if (!active) row.classList.add('resting');
      rows.set(id, row);
      body.append(row);
    }
    for (const [column, count] of [impressions, clicks].entries()) count_(row.cells[column + 1], count);
  }
}

function count_(cell: HTMLTableCellElement | undefined, count: number): void {
  if (!cell || cell.textContent === String(count)) return;
  cell.textContent = String(count);
  // Taken away and put back after a layout, so that the animation begins anew.
  cell.classList.remove('changed');
  void cell.offsetWidth;
  cell.classList.add('changed');
}

/** Opens and closes the panel; it begins open where there is room for it, and remembers for the tab. */
function startToggle(desk: HTMLElement): void {
  const button = shell('#ad-desk button');
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
