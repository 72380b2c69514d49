import type { LIMITS } from '@broadsheet/contract';
import type { Context } from '../context.ts';
import type { DeliveryQueue } from '../delivery/queue.ts';
import { explain } from '../load-on-demand.ts';
import { after } from '../timer.ts';
import { formatOf, nameOf, SELECTOR, setting } from './attributes.ts';
import { clear } from './lifecycle.ts';
import { type Slot, shared } from './slot.ts';
import type { Watcher } from './watcher.ts';

/** The attributes that identify a slot. */
const ATTRIBUTES = ['data-broadsheet-slot', 'data-name', 'data-format', 'data-client', 'name', 'format', 'client'];
/** Maximum code points of a slot's name. A literal, so that the contract's table stays out of the script. */
const MAX_SLOT_ID: (typeof LIMITS)['slotId']['max'] = 200;

/**
 * Finds the slots of one client as they enter and leave the page. Attributes of their elements are never written, because
 * frameworks compare them when they hydrate.
 */
export class SlotFinder {
  readonly #context: Context;
  readonly #watcher: Watcher;
  readonly #queue: DeliveryQueue;
  readonly #changes = new MutationObserver((records) => {
    for (const { target, attributeName, addedNodes } of records) {
      for (const node of attributeName ? [target] : addedNodes) if (node instanceof Element) this.#find(node);
    }
    if ([...this.#context.slots.keys()].some((host) => !host.isConnected)) this.#missing();
  });

  constructor(context: Context, watcher: Watcher, queue: DeliveryQueue) {
    this.#context = context;
    this.#watcher = watcher;
    this.#queue = queue;
    const { signal, slots } = context;
    signal.addEventListener('abort', () => {
      this.#changes.disconnect();
      for (const slot of slots.values()) this.#release(slot);
    });
    onSlotChange((host) => {
      if (signal.aborted) return;
      if (!host.isConnected) return this.#missing();
      // An observer of the document does not see changes inside a shadow root.
      if (host.getRootNode() !== document) this.#changes.observe(host, { attributes: true });
      this.#claim(host);
    }, signal);
  }

  /** Finds slots in `root`, now and as they are added. */
  watch(root: ParentNode & Node): void {
    this.#changes.observe(root, { childList: true, subtree: true, attributeFilter: ATTRIBUTES });
    this.#find(root);
  }

  #find(root: ParentNode): void {
    if (root instanceof HTMLElement && root.matches(SELECTOR)) this.#claim(root);
    for (const inner of root.querySelectorAll<HTMLElement>(SELECTOR)) this.#claim(inner);
  }

  /** Makes `host` a slot of this client, unless another one owns it or its format is unknown. */
  #claim(host: HTMLElement): void {
    const { client, signal, slots } = this.#context;
    const known = slots.get(host);
    const name = nameOf(host);
    const format = formatOf(host);
    const owner = setting(host, 'client') ?? '';
    const key = [name, format, owner].join();
    if (signal.aborted || known?.key === key) return;
    if (known) {
      // Its new client may be this one.
      this.#release(known);
      return;
    }
    const owned = shared().slots;
    if (owner !== client || owned.has(host)) return;
    if (!format) return void explain('', host);
    const slotId = [...(name || this.#unusedName())].slice(0, MAX_SLOT_ID).join('');
    const slot: Slot = { host, slotId, format, key, state: 'waiting', wanted: true };
    owned.set(host, slot);
    slots.set(host, slot);
    this.#watcher.watch(slot);
  }

  /** The first number that no other slot of the client has: the routes of an application share their placements. */
  #unusedName(number = 1): string {
    const name = `slot-${number}`;
    const isTaken = [...this.#context.slots.values()].some(({ host, slotId }) => host.isConnected && slotId === name);
    return isTaken ? this.#unusedName(number + 1) : name;
  }

  /** Releases the element, without an ad, and offers it to all clients: they may have looked at it while it was owned. */
  #release(slot: Slot): void {
    this.#context.slots.delete(slot.host);
    shared().slots.delete(slot.host);
    this.#watcher.unwatch(slot);
    slot.gone = true;
    delete slot.delivery;
    slot.leave?.();
    this.#queue.store(clear(slot));
    for (const notify of shared().watchers) notify(slot.host);
  }

  /** A slot left the page. If it was only moved (Turbo takes some microtasks for that), it keeps its ad. */
  #missing(): void {
    after(0, () => {
      for (const slot of this.#context.slots.values()) if (!slot.host.isConnected) this.#release(slot);
      this.#context.schedule();
    });
  }
}

/** Calls back for every `<broadsheet-slot>` that is added to a page or removed, even inside other shadow roots. */
function onSlotChange(changed: (host: HTMLElement) => void, signal: AbortSignal): void {
  const { watchers } = shared();
  watchers.add(changed);
  signal.addEventListener('abort', () => watchers.delete(changed));
  if (customElements.get('broadsheet-slot')) return;
  // Defined here and not at the top level, because the module can be loaded where HTMLElement does not exist.
  customElements.define(
    'broadsheet-slot',
    class extends HTMLElement {
      readonly #states = this.attachInternals().states;

      connectedCallback(): void {
        // Every client finds the slots of the document itself.
        if (this.getRootNode() !== document) this.disconnectedCallback();
      }

      disconnectedCallback(): void {
        for (const notify of watchers) notify(this);
      }

      /** Lets the page style `broadsheet-slot:state(filled)` while the attributes stay as the framework wrote them. */
      setState(state: string): void {
        try {
          this.#states.clear();
          this.#states.add(state);
        } catch {
          // Chromium before 125 takes only names that begin with two dashes, and other old browsers have no states.
        }
      }
    },
  );
}

declare global {
  interface HTMLElementTagNameMap {
    'broadsheet-slot': HTMLElement;
  }
}
