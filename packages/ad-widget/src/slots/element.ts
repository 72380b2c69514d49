/** A `<broadsheet-slot>`; a plain `div` that is a slot has no states. */
export interface SlotElement extends HTMLElement {
  enter?(state: string): void;
}

/** The clients that look for slots, in the order they were made. */
const clients = new Set<(host: HTMLElement) => void>();

/** Calls `adopt` for every `<broadsheet-slot>` that is put into a page, also inside other shadow roots. */
export function onSlotConnected(adopt: (host: HTMLElement) => void, signal: AbortSignal): void {
  clients.add(adopt);
  signal.addEventListener('abort', () => clients.delete(adopt));
  if (customElements.get('broadsheet-slot')) return;
  // Made here and not at the top level: the module can be loaded where there is no HTMLElement.
  customElements.define(
    'broadsheet-slot',
    class extends HTMLElement {
      #states: CustomStateSet | undefined;

      connectedCallback(): void {
        for (const offer of clients) offer(this);
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
