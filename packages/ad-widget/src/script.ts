import type { Ads } from './ads.ts';
import { Client } from './client.ts';
import type { Consent } from './consent/consent-platform.ts';
import { callPage } from './events.ts';
import { explain } from './load-on-demand.ts';

/** A command that a page may push before or after the script has loaded; called once for every client of the page. */
export type Command = (ads: Ads) => void;

/** `window.broadsheet`: an array from the first push on, so that pages need not wait for the script. */
export type CommandQueue = Command[] & { clients?: Ads[] };

declare global {
  interface Window {
    broadsheet?: CommandQueue;
  }
}

/** Makes `ads` known to the page: past commands run now, later ones when they are pushed. */
function announce(ads: Ads): void {
  // While the global is not set, `window.broadsheet` may be an element with this id.
  const queue: CommandQueue = Array.isArray(window.broadsheet) ? window.broadsheet : [];
  window.broadsheet = queue;
  const run = (command: Command): void => callPage(command, ads);
  queue.forEach(run);
  // The method of an array, or of the previous client.
  const { push } = queue;
  queue.push = (...commands) => {
    commands.forEach(run);
    return push.apply(queue, commands);
  };
  queue.clients = [...(queue.clients ?? []), ads];
}

/** The script tag reads its own attributes; see the README for each. */
async function start(script: HTMLOrSVGScriptElement | null): Promise<void> {
  if (!script) throw new Error('load it without type="module"');
  const { baseUrl, apiKey, mode, ...settings } = script.dataset;
  if (baseUrl === undefined || !apiKey) return explain('', script);
  // Only a rehearsal awaits another file. An unknown mode is a rehearsal, too, and requests nothing.
  const transport = mode ? (await import('./delivery/rehearsal.ts')).createRehearsal(mode) : undefined;
  // Unknown values of `consent` mean no consent.
  const ads = new Client({ ...(settings as { consent?: Consent }), baseUrl, apiKey, transport });
  announce(ads);
}

// A page works without ads, so a failure of the widget must not stop it.
start(document.currentScript).catch((cause) => console.warn(`broadsheet: ${cause}`));
