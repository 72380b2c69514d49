import { shared } from './slot.ts';

/** Calls back for every `<broadsheet-slot>` that is added to a page or removed, also inside other shadow roots. */
export function onSlotChange(changed: (host: HTMLElement) => void, signal: AbortSignal): void {
  const { watchers } = shared();
  watchers.add(changed);
  signal.addEventListener('abort', () => watchers.delete(changed));
  if (customElements.get('broadsheet-slot')) return;
  // Defined here and not at the top level, because the module can be loaded where HTMLElement does not exist.
  customElements.define(
    'broadsheet-slot',
    class extends HTMLElement {
      static readonly observedAttributes = ['name', 'format', 'client'];
      #states: CustomStateSet | undefined;
      #known = false;

      connectedCallback(): void {
        this.#known = true;
        for (const notify of watchers) notify(this);
      }

      /** Before the element is connected, its initial attributes are reported one by one. */
      attributeChangedCallback(): void {
        if (this.#known) this.connectedCallback();
      }

      disconnectedCallback(): void {
        this.connectedCallback();
      }

      /** Lets the page style `broadsheet-slot:state(filled)` while the attributes stay as the framework wrote them. */
      enter(state: string): void {
        this.#states ??= this.attachInternals().states;
        this.#states?.clear();
        this.#states?.add(state);
      }
    },
  );
}

declare global {
  interface HTMLElementTagNameMap {
    'broadsheet-slot': HTMLElement;
  }
}
