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
      readonly #states = this.attachInternals().states;

      connectedCallback(): void {
        for (const notify of watchers) notify(this);
      }

      disconnectedCallback(): void {
        this.connectedCallback();
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
