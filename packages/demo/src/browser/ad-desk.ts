import { element, loadPage } from './load-page.ts';

/** Milliseconds between two requests for the figures. */
const EVERY = 1_500;
/** Milliseconds to wait after an event of an ad: a click is still being sent when its event is dispatched. */
const SOON = 250;

/** Keeps the panel of impressions and clicks up to date while the reader can see it. */
export function startAdDesk(): void {
  let timer: ReturnType<typeof setTimeout>;
  startToggle(element('#ad-desk'));
  for (const type of ['filled', 'click']) document.addEventListener(`broadsheet:${type}`, () => look(SOON));
  document.addEventListener('visibilitychange', () => look(0));
  look(0);

  function look(after: number): void {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(() => void read().then(() => look(EVERY)), after);
  }
}

/** Shows the current figures and highlights those that changed. */
async function read(): Promise<void> {
  const page = await loadPage('/demo/stats').catch(() => undefined);
  element('#ad-desk-news').textContent = page ? '' : 'The server does not respond; the figures may be out of date.';
  const [body, next] = [element('#ad-desk tbody'), page?.querySelector('tbody')];
  if (!page || !next || next.textContent === body.textContent) return;
  const before = body.querySelectorAll('td');
  for (const [index, cell] of next.querySelectorAll('td').entries()) {
    cell.classList.toggle('changed', before.length > 0 && before[index]?.textContent !== cell.textContent);
  }
  body.replaceWith(next);
  element('#ad-desk-totals').textContent = page.querySelector('.totals')?.textContent ?? '';
}

/** Opens and closes the panel. It is initially open on wide screens, and its state is kept for the tab. */
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
