import { FORMAT_DETAILS } from '../slots/formats.ts';
import { after } from '../timer.ts';
import type { SlotRequest, SlotResult, Transport } from './creative.ts';
import { DeliveryError } from './delivery-error.ts';

/** Milliseconds a `slow` slot waits. */
const SLOW = 3000;

type Words = Partial<Record<'title' | 'content' | 'linkText' | 'imageUrl' | 'linkUrl', string | null>>;

/** Sizes of images, by a word in the name of a slot. */
const SHAPES: Record<string, readonly [width: number, height: number]> = { wide: [728, 90], tall: [300, 600] };

let counter = 0;

/** What a slot rehearses, by a word in its name: `<broadsheet-slot name="top-long" …>`. */
const STATES: Record<string, Words> = {
  long: {
    title: 'A title that goes on well past the end of any box it could be given '.repeat(3),
    content: 'Incomprehensibilities'.repeat(12),
  },
  rtl: { title: 'عنوان الإعلان', content: 'نص الإعلان يُقرأ من اليمين إلى اليسار', linkText: 'اقرأ المزيد' },
  short: { title: 'Walking shoes', content: null, linkText: 'Shop' },
  noimage: { imageUrl: null },
  broken: { imageUrl: 'data:image/png;base64,AAAA' },
  nolink: { linkUrl: null },
  bare: { title: null, content: null, linkText: null },
  hostile: { title: '<img src=x onerror=alert(1)>', linkUrl: 'javascript:alert(1)', imageUrl: 'javascript:alert(1)' },
};

/**
 * Replaces the API, so that no impression is counted while a page is built. The name of a slot selects what it
 * rehearses: `empty`, `long`, `short`, `rtl`, `noimage`, `wide` or `tall` (the shape of its image), `broken`, `nolink`,
 * `bare` (only an image), `hostile`, `slow`, `error` (its whole request fails) or `expired` (its click gets a 400). Any
 * other name gives a plain ad.
 *
 * @param mode The value of `data-mode`.
 */
export function createRehearsal(mode = 'mock'): Transport {
  if (mode !== 'mock') {
    console.warn(
      `broadsheet: data-mode="${mode}" is unknown and treated as "mock": no ad is requested; leave data-mode out for real ads`,
    );
  }
  return {
    async deliver(slots) {
      const names = slots.map(({ slotId }) => slotId).join(' ');
      if (/slow/.test(names)) await new Promise<void>((resolve) => after(SLOW, resolve));
      if (/error/.test(names)) throw new DeliveryError(500, 'a rehearsed failure');
      return slots.map(rehearse);
    },
    async click(clickToken) {
      if (/expired/.test(clickToken)) throw new DeliveryError(400, 'a rehearsed expired token');
    },
  };
}

function rehearse(slot: SlotRequest): SlotResult {
  if (/empty/.test(slot.slotId)) return { ...slot, filled: false };
  const [, shape = ''] = /(wide|tall)/.exec(slot.slotId) ?? [];
  const plain = {
    title: `An ad ${FORMAT_DETAILS[slot.format].place}`,
    content: 'This is a rehearsal: nothing is requested and nothing is counted.',
    linkText: 'See what it leads to',
    linkUrl: 'https://example.com/',
    imageUrl: picture(...(SHAPES[shape] ?? [600, 400])),
  };
  const states = Object.entries(STATES).filter(([name]) => slot.slotId.includes(name));
  return Object.assign(
    // Not crypto.randomUUID(), which pages over plain http do not have.
    { ...slot, filled: true as const, id: `rehearsed-${++counter}`, clickToken: `${slot.slotId}:${counter}` },
    plain,
    ...states.map(([, words]) => words),
  );
}

/** A landscape, as large as real images. */
function picture(width: number, height: number): string {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) return '';
  const fill = (color: string, radius: number, x: number, y: number): void => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x * width, y * height, radius * height, 0, 2 * Math.PI);
    context.fill();
  };
  fill('#bfe0ea', width, 0.5, 0.5);
  fill('#f6c453', 0.14, 0.72, 0.3);
  fill('#5b8f7b', 0.9, 0.15, 1.4);
  fill('#3f6f66', 0.8, 0.8, 1.45);
  return canvas.toDataURL();
}
