import { randomUUID } from 'node:crypto';
import { accept, SnapshotAd } from '@broadsheet/contract';
import { Refusal } from '../program/refusal.ts';

/** The flags of `ads add`, as they were typed. */
export interface AdFlags {
  readonly format: string;
  readonly priority: string;
  readonly title?: string;
  readonly content?: string;
  readonly link?: string;
  readonly linkText?: string;
  readonly image?: string;
  readonly starts?: string;
  readonly ends?: string;
}

/** An ad by the rules of a snapshot, with the names of the flags in its errors. @throws Refusal with every problem */
export function readAd(flags: AdFlags, now: number): SnapshotAd {
  const priority = /^-?\d{1,9}$/.test(flags.priority) ? Number(flags.priority) : undefined;
  const typed = {
    format: flags.format.trim().toUpperCase(),
    priority: priority ?? 0,
    startsAt: instant(flags.starts, '00:00:00.000'),
    endsAt: instant(flags.ends, '23:59:59.999'),
    imageUrl: flags.image ?? null,
    linkUrl: flags.link ?? null,
    title: textOf(flags.title),
    content: textOf(flags.content),
    linkText: textOf(flags.linkText),
  };
  const problems = [
    ...strangeAddress('--link', flags.link, 'https://sponsor.example or, on the blog itself, /sponsor'),
    ...strangeAddress('--image', flags.image, 'https://sponsor.example/logo.png or, on the blog itself, /logo.png'),
  ];
  if (priority === undefined) {
    problems.push(`--priority: expected a whole number, received ${JSON.stringify(flags.priority)}`);
  }
  if ((typed.title ?? typed.content ?? flags.image ?? null) === null) {
    problems.push('the ad is empty: give it at least one of --title, --content and --image');
  }
  problems.push(...neverRuns(typed, now));
  const result = accept(SnapshotAd, { id: randomUUID(), ...typed });
  if (result.ok && problems.length === 0) return result.value;
  const fields = result.ok
    ? []
    : result.fields.map(({ field, message }) => ({
        flag: FLAG_OF[field] ?? field,
        message: message.slice(field.length + 2),
      }));
  throw new Refusal([
    ...fields
      .filter(({ flag }) => !problems.some((problem) => problem.startsWith(`${flag}: `)))
      .map(({ flag, message }) => `${flag}: ${message}`),
    ...problems,
  ]);
}

const FLAG_OF: Readonly<Record<string, string>> = {
  format: '--format',
  startsAt: '--starts',
  endsAt: '--ends',
  imageUrl: '--image',
  linkUrl: '--link',
};

/** A text that a script left empty was not given. */
const textOf = (typed: string | undefined): string | null => (typed?.trim() ? typed : null);

/** A day is all of it, in UTC. */
function instant(typed: string | undefined, time: string): string | null {
  if (typed === undefined) return null;
  return /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T${time}Z` : typed;
}

/**
 * An address without a scheme is relative to the page an ad is on, so the contract takes it; of what is typed here it is
 * a host whose scheme was forgotten, and nobody could click the ad.
 */
function strangeAddress(flag: string, typed: string | undefined, example: string): string[] {
  if (typed === undefined || typed.startsWith('/')) return [];
  // A host with a port looks like a scheme.
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed)) return [];
  const meant = /^[^\s/]+\.[^\s/]+/.test(typed) && flag === '--link' ? `https://${typed}` : example;
  return [`${flag}: ${JSON.stringify(typed)} begins with no scheme, such as https://, and not with /; write ${meant}`];
}

function neverRuns({ startsAt, endsAt }: Pick<SnapshotAd, 'startsAt' | 'endsAt'>, now: number): string[] {
  if (endsAt === null) return [];
  if (startsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) {
    return [`--ends: ${endsAt} is not after --starts (${startsAt}); the ad would never run`];
  }
  return Date.parse(endsAt) <= now ? [`--ends: ${endsAt} is over; the ad would never run`] : [];
}
