import type { Ads } from './ads.ts';

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
  window.broadsheet ??= [];
  const queue = window.broadsheet;
  const run = (command: Command, client: Ads): void => {
    try {
      command(client);
    } catch (cause) {
      // The page's own mistake: reported as such, without stopping the other commands.
      reportError(cause);
    }
  };
  for (const command of queue) run(command, ads);
  queue.clients ??= [];
  const { clients } = queue;
  clients.push(ads);
  queue.push = (...commands) => {
    for (const command of commands) {
      queue[queue.length] = command;
      for (const client of clients) run(command, client);
    }
    return queue.length;
  };
}
