import { accept, SnapshotAd } from '@broadsheet/contract';
import { readInstant } from './instants.ts';
import { OperationError, type OperationProblem } from './operation-error.ts';

/** The fields of an ad as somebody typed them: an empty text is none. */
export interface AdDraft {
  readonly format: string;
  /** A whole number; the highest is shown first. */
  readonly priority?: string | undefined;
  readonly title?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly linkUrl?: string | null | undefined;
  readonly linkText?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
  /** A date-time, or a date: its beginning. What names no zone is UTC. */
  readonly startsAt?: string | null | undefined;
  /** A date-time, or a date: its end. */
  readonly endsAt?: string | null | undefined;
}

/**
 * An ad by the rules of a snapshot, and by those of common sense: something to see, an address that can be clicked,
 * a time in which it runs. What the draft leaves out stays as it is in `before`.
 *
 * @throws OperationError with every problem
 */
export function readAdDraft(before: SnapshotAd, draft: Partial<AdDraft>, now: number): SnapshotAd {
  const problems: OperationProblem[] = [];
  const ad = {
    ...before,
    ...(draft.format !== undefined && { format: draft.format.trim().toUpperCase() }),
    ...(draft.priority !== undefined && { priority: readPriority(draft.priority, problems) }),
    ...texts(draft),
    ...dates(draft, problems),
  };
  problems.push(
    ...strangeAddress('linkUrl', draft.linkUrl, 'https://sponsor.example or, on the blog itself, /sponsor'),
    ...strangeAddress('imageUrl', draft.imageUrl, 'https://sponsor.example/logo.png or, on the blog itself, /logo.png'),
  );
  if ((ad.title ?? ad.content ?? ad.imageUrl) === null) {
    problems.push({ message: 'the ad is empty: give it at least a title, a content or an image' });
  }
  if (draft.startsAt !== undefined || draft.endsAt !== undefined) problems.push(...neverRuns(ad, draft, now));
  const result = accept(SnapshotAd, ad);
  if (result.ok && problems.length === 0) return result.value;
  const fields = result.ok
    ? []
    : result.fields.map(({ field, message }) => ({ at: field, message: message.slice(field.length + 2) }));
  throw new OperationError([...fields.filter(({ at }) => !problems.some((problem) => problem.at === at)), ...problems]);
}

const TEXTS = ['title', 'content', 'linkUrl', 'linkText', 'imageUrl'] as const;

function texts(draft: Partial<AdDraft>): Partial<Record<(typeof TEXTS)[number], string | null>> {
  const given = TEXTS.filter((name) => draft[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, draft[name]?.trim() ? (draft[name] ?? null) : null]));
}

function readPriority(typed: string, problems: OperationProblem[]): number {
  if (/^-?\d{1,9}$/.test(typed.trim())) return Number(typed);
  problems.push({ at: 'priority', message: `expected a whole number, received ${JSON.stringify(typed)}` });
  return 0;
}

function dates(
  draft: Partial<AdDraft>,
  problems: OperationProblem[],
): Partial<Pick<SnapshotAd, 'startsAt' | 'endsAt'>> {
  const read = (name: 'startsAt' | 'endsAt', time: string) => {
    const typed = draft[name];
    if (typed === undefined) return {};
    if (!typed?.trim()) return { [name]: null };
    try {
      return { [name]: readInstant(name, typed, time) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      problems.push(...error.problems);
      return {};
    }
  };
  return { ...read('startsAt', '00:00:00.000'), ...read('endsAt', '23:59:59.999') };
}

/**
 * An address without a scheme is relative to the page an ad is on, so the contract takes it; of what somebody types it
 * is a host whose scheme was forgotten, and nobody could click the ad.
 */
function strangeAddress(
  at: 'linkUrl' | 'imageUrl',
  typed: string | null | undefined,
  example: string,
): OperationProblem[] {
  if (!typed?.trim() || typed.startsWith('/')) return [];
  // A host with a port looks like a scheme.
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed)) return [];
  const meant = /^[^\s/]+\.[^\s/]+/.test(typed) && at === 'linkUrl' ? `https://${typed}` : example;
  const message = `${JSON.stringify(typed)} begins with no scheme, such as https://, and not with /; write ${meant}`;
  return [{ at, message }];
}

/** Names the days as they were typed, in the zone of whoever typed them. */
function neverRuns(
  { startsAt, endsAt }: Pick<SnapshotAd, 'startsAt' | 'endsAt'>,
  typed: Partial<AdDraft>,
  now: number,
): OperationProblem[] {
  if (endsAt === null) return [];
  const end = typed.endsAt?.trim() || endsAt;
  if (startsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt)) {
    const start = typed.startsAt?.trim() || startsAt;
    return [{ at: 'endsAt', message: `${end} is not after the start, ${start}; the ad would never run` }];
  }
  return Date.parse(endsAt) <= now ? [{ at: 'endsAt', message: `${end} is over; the ad would never run` }] : [];
}
