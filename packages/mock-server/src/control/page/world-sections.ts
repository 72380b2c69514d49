import { ENDPOINT_IDS, ERRORS } from '@broadsheet/contract';
import { DISRUPTIONS } from '../../faults/fault.ts';
import { PROFILES } from '../../faults/profiles.ts';
import { LENSES } from '../../lenses/lens.ts';
import type { InnerWorld } from '../../worlds/world.ts';
import { faultsOf, gatesOf, stateOf } from '../world-state.ts';
import { html, type Markup } from './markup.ts';

const STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort((one, two) => one - two);

const options = (values: readonly (string | number)[]): Markup[] =>
  values.map((value) => html`<option value="${value}">${value}</option>`);

const targets = html`<label>Endpoint <select name="target"><option value="*">all of them</option>${options(ENDPOINT_IDS)}</select></label>`;
const times = html`<label>Times <input type="number" name="times" min="1" placeholder="always"></label>`;

/** A form that sends one command. */
const form = (action: string, command: string, done: string, fields: Markup): Markup =>
  html`<form method="post" action="${action}" data-done="${done}"><input type="hidden" name="command" value="${command}">${fields}</form>`;

/** The button that ends what a row shows. */
const ending = (action: string, command: string, words: string, [field, value]: readonly [string, string]): Markup =>
  form(
    action,
    command,
    'Done.',
    html`<input type="hidden" name="${field}" value="${value}"><button class="plain" id="${command}-${value}" aria-label="${words} ${value}">${words}</button>`,
  );

/** A table that is drawn anew as it changes. */
function live(id: string, caption: string, heads: readonly string[], rows: readonly Markup[], none: string): Markup {
  const table = html`<table aria-label="${caption}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<td></td></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<div id="${id}" class="scroll" data-live tabindex="0" role="region" aria-label="${caption}">${rows.length > 0 ? table : html`<p class="soft">${none}</p>`}</div>`;
}

/** The time of a world, and what moves it on. */
export function clockSection({ clock }: InnerWorld, action: string): Markup {
  const now = new Date(clock.now()).toISOString();
  const steps = ['1m', '10m', '30m', '1d'].map(
    (by) => html`<button class="plain" name="by" value="${by}">+${by}</button>`,
  );
  return html`<section><h2>Clock</h2><div id="clock" data-live tabindex="-1"><time class="now" datetime="${now}">${now.replace('T', ' ').slice(0, 19)}</time> <span class="soft">UTC</span><p class="soft">${clock.waiting === 0 ? 'No answer waits for time to pass.' : `${clock.waiting} answer(s) wait for time to pass.`}</p></div>
${form(action, 'advance', 'Time has passed.', html`${steps}`)}
${form(action, 'advance', 'Time has passed.', html`<label>Length, such as 90s or 2h <input name="by" required></label><button>Advance</button>`)}</section>`;
}

/** What makes answers fail or late. */
export function faultSection(world: InnerWorld, action: string): Markup {
  const rows = faultsOf(world).map(
    ({ fault, target, effect, hits }) =>
      html`<tr><td>${effect}</td><td>${target}</td><td>${hits}</td><td class="end">${ending(action, 'lift', 'Lift', ['fault', fault])}</td></tr>`,
  );
  const answers = html`<label>Answer <select name="answer"><optgroup label="Fails with">${options(STATUSES)}</optgroup><optgroup label="Breaks">${options(DISRUPTIONS)}</optgroup></select></label>`;
  const networks = html`<label>Network <select name="profile">${options(Object.keys(PROFILES))}</select></label>`;
  return html`<section class="wide"><h2>Faults</h2>${live('faults', 'Faults', ['Answer', 'Endpoint', 'Requests met'], rows, 'None is set.')}
${form(action, 'fault', 'The fault is set.', html`${targets}${answers}${times}<button>Set fault</button>`)}
${form(action, 'profile', 'The network is set.', html`${targets}${networks}<button>Set network</button>`)}
${form(action, 'delay', 'The delay is set.', html`${targets}<label>Delay, such as 300ms <input name="duration" required></label><button>Set delay</button>`)}</section>`;
}

/** What holds answers back. */
export function gateSection(world: InnerWorld, action: string): Markup {
  const rows = gatesOf(world).map(
    ({ gate, target, held }) =>
      html`<tr><td>${target}</td><td>${held}</td><td class="end">${ending(action, 'release', 'Release', ['gate', gate])}</td></tr>`,
  );
  return html`<section><h2>Gates</h2>${live('gates', 'Gates', ['Endpoint', 'Answers held'], rows, 'None is closed.')}
${form(action, 'hold', 'The gate is closed.', html`${targets}${times}<button>Hold</button>`)}</section>`;
}

/** What shows the same data as another legal answer. */
export function lensSection(world: InnerWorld, action: string): Markup {
  const rows = stateOf(world).lenses.map(
    ({ target, lens }) =>
      html`<tr><td>${target}</td><td>${typeof lens === 'string' ? lens : JSON.stringify(lens)}</td><td class="end">${ending(action, 'lens', 'Take away', ['target', target])}</td></tr>`,
  );
  return html`<section><h2>Lenses</h2>${live('lenses', 'Lenses', ['Endpoint', 'Lens'], rows, 'None is laid.')}
${form(action, 'lens', 'The lens is laid.', html`${targets}<label>Lens <select name="lens">${options(LENSES)}</select></label><button>Lay</button>`)}</section>`;
}
