import { type FunctionalComponent, h } from 'vue';
import type { SlotAttributes } from '../slots/attributes.ts';

/** A slot for Vue; its default slot is the fallback. Start the client once with the script tag or `createAds`. */
export const AdSlot: FunctionalComponent<SlotAttributes> = (_, { attrs, slots }) =>
  h('broadsheet-slot', attrs, slots['default']?.());
// Nothing is declared as a prop, so every attribute arrives in `attrs`, and is not put on the element a second time.
AdSlot.inheritAttrs = false;
