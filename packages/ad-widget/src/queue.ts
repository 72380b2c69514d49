import type { Ads } from './ads.ts';
import { callPage } from './events.ts';

/** What a page may push before or after the script has loaded; called once for every client of the page. */
export type Command = (ads: Ads) => void;

/** `window.broadsheet`: an array from the first push on, so that pages need not wait for the script. */
export type CommandQueue = Command[] & { clients?: Ads[] };

declare global {
  interface Window {
    broadsheet?: CommandQueue;
  }
}

/** Makes `ads` known to the page: past commands run now, later ones when they are pushed. */
export function announce(ads: Ads): void {
  // While the global is not set, `window.broadsheet` may be an element with this id.
  const queue: CommandQueue = Array.isArray(window.broadsheet) ? window.broadsheet : [];
  window.broadsheet = queue;
  const run = (command: Command): void => callPage(command, ads);
  queue.forEach(run);
  // An array's method, or the previous client's.
  const { push } = queue;
  queue.push = (...commands) => {
    commands.forEach(run);
    return push.apply(queue, commands);
  };
  queue.clients = [...(queue.clients ?? []), ads];
}
