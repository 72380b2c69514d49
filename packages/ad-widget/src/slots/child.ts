import type { Context } from '../context.ts';
import { SHEET, sheet } from '../drawing/style.ts';
import { after } from '../timer.ts';
import { type Slot, setState } from './slot.ts';

/** Elements that can have children but no shadow root. */
const HOLDERS = /^(LI|T[DH]|D[DT]|FIG\w+)$/;
/** Milliseconds after `load` in which frameworks hydrate a page. They would remove a child that they did not render. */
const HYDRATION = 1000;

let hydrated: Promise<void> | undefined;

/** Gives a host without a shadow root of its own a child with one, once frameworks have hydrated the page. */
export async function prepareChild({ counts, emit, schedule }: Context, slot: Slot): Promise<void> {
  const { host } = slot;
  try {
    sheet(SHEET);
    if (!HOLDERS.test(host.tagName)) throw new TypeError('no shadow root');
  } catch {
    const reason = `no ad can be rendered in <${host.localName}>: use a <div> or <broadsheet-slot>, in a browser with constructed style sheets`;
    console.warn(`broadsheet: ${reason}`);
    counts.failed++;
    setState(slot, 'failed');
    emit(slot, 'error', reason);
    return;
  }
  hydrated ??= new Promise((resolve) => {
    const wait = (): unknown => after(HYDRATION, resolve);
    if (document.readyState === 'complete') wait();
    else addEventListener('load', wait);
  });
  await hydrated;
  if (slot.gone) return;
  if (!slot.root) {
    const child = host.appendChild(document.createElement('div'));
    slot.leave = () => child.remove();
    slot.root = child.attachShadow({ mode: 'open' });
  }
  slot.wanted = true;
  schedule();
}
