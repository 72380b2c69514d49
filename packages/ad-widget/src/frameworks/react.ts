import { createElement, type DetailedHTMLProps, type HTMLAttributes, type ReactElement, type ReactNode } from 'react';
import type { SlotAttributes } from '../slots/attributes.ts';

/** `<broadsheet-slot>` in JSX. */
export type SlotElementProps = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & SlotAttributes;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'broadsheet-slot': SlotElementProps;
    }
  }
}

/** What {@link AdSlot} takes: the slot's attributes, and the fallback as children. */
export type AdSlotProps = SlotAttributes & { readonly children?: ReactNode };

/**
 * A slot for React. Renders the same on the server and in the browser; the ad is in a shadow root, which hydration
 * does not check. Start the client once with the script tag or `createAds`.
 */
export function AdSlot(props: AdSlotProps): ReactElement {
  return createElement('broadsheet-slot', props);
}
