import { FORMAT_DETAILS } from '../slots/formats.ts';
import { after } from '../timer.ts';
import type { FilledAd, SlotRequest, SlotResult, Transport } from './creative.ts';
import { DeliveryError } from './delivery-error.ts';

/** Milliseconds a `slow` slot waits. */
const SLOW = 3000;

let counter = 0;

/** The fields that a word in the name of a slot changes; `imageUrl` may be the size of the image. */
const STATES: Record<string, Partial<FilledAd>> = {
  long: {
    title: 'A title that goes on well past the end of any box it could be given '.repeat(3),
    content: 'Incomprehensibilities'.repeat(12),
  },
  rtl: { title: 'عنوان الإعلان', content: 'نص الإعلان يُقرأ من اليمين إلى اليسار', linkText: 'اقرأ المزيد' },
  short: { title: 'Walking shoes', content: null, linkText: 'Shop' },
  wide: { imageUrl: '728x90' },
  tall: { imageUrl: '300x600' },
  noimage: { imageUrl: null },
  broken: { imageUrl: 'data:image/png;base64,AAAA' },
  nolink: { linkUrl: null },
  bare: { title: null, content: null, linkText: null },
  hostile: { title: '<img src=x onerror=alert(1)>', linkUrl: 'javascript:alert(1)', imageUrl: 'javascript:alert(1)' },
};

/**
 * Replaces the API, so that no impression is counted while a page is being built. A word in the name of a slot selects
 * what it rehearses: `empty`, `long`, `short`, `rtl`, `noimage`, `wide` or `tall` (the shape of its image), `broken`,
 * `nolink`, `bare` (only an image), `hostile`, `slow`, `error` (its whole request fails) or `expired` (its click gets a
 * 400). Any other name gives a plain ad.
 *
 * @param mode The value of `data-mode`.
 */
export function createRehearsal(mode = 'mock'): Transport {
  const advice = 'no ad is requested; leave data-mode out for real ads';
  if (mode !== 'mock') console.warn(`broadsheet: data-mode="${mode}" is unknown and treated as "mock": ${advice}`);
  return {
    async deliverBatch(slots) {
      const words = slots.flatMap(({ slotId }) => wordsOf(slotId));
      if (words.includes('slow')) await new Promise<void>((resolve) => after(SLOW, resolve));
      if (words.includes('error')) throw new DeliveryError(500, 'a rehearsed failure');
      return slots.map(rehearse);
    },
    async click(clickToken) {
      if (wordsOf(clickToken).includes('expired')) throw new DeliveryError(400, 'a rehearsed expired token');
    },
  };
}

/** The words of a name: `top-long` has "top" and "long". */
const wordsOf = (name: string): string[] => name.toLowerCase().split(/[^a-z]+/);

function rehearse(slot: SlotRequest): SlotResult {
  const words = wordsOf(slot.slotId);
  if (words.includes('empty')) return { ...slot, filled: false };
  const plain: SlotRequest & FilledAd = {
    ...slot,
    filled: true,
    // Not crypto.randomUUID(), which pages over plain http do not have.
    id: `rehearsed-${++counter}`,
    clickToken: `${slot.slotId}:${counter}`,
    title: `An ad ${FORMAT_DETAILS[slot.format].place}`,
    content: 'This is a rehearsal: nothing is requested and nothing is counted.',
    linkText: 'See what it leads to',
    linkUrl: 'https://example.com/',
    imageUrl: '600x400',
  };
  const result = Object.assign(plain, ...words.map((word) => STATES[word]));
  const size = /^(\d+)x(\d+)$/.exec(result.imageUrl ?? '');
  if (size) result.imageUrl = picture(Number(size[1]), Number(size[2]));
  return result;
}

/** A landscape, as large as real images. */
function picture(width: number, height: number): string {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) return '';
  for (const [color, radius, x, y] of [
    ['#bfe0ea', width, 0.5, 0.5],
    ['#f6c453', 0.14, 0.72, 0.3],
    ['#5b8f7b', 0.9, 0.15, 1.4],
    ['#3f6f66', 0.8, 0.8, 1.45],
  ] as const) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x * width, y * height, radius * height, 0, 2 * Math.PI);
    context.fill();
  }
  return canvas.toDataURL();
}
