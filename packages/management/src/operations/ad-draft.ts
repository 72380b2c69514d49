import { accept, SnapshotAd } from '@broadsheet/contract';
import { AD_FIELDS, type AdDraft } from './ad-fields.ts';
import { neverRuns, readInstant } from './instants.ts';
import { OperationError, type OperationProblem } from './operation-error.ts';

type AdField = (typeof AD_FIELDS)[number];

/**
 * Reads an ad by the rules of a snapshot; it also needs something to show, a URL that works when clicked, and a period
 * that is not over. Fields that the draft omits keep their value in `before`; an empty string removes a field.
 *
 * @throws OperationError with every problem
 */
export function readAdDraft(before: SnapshotAd, draft: AdDraft, now: number): SnapshotAd {
  const problems: OperationProblem[] = [];
  const ad = { ...before };
  for (const field of AD_FIELDS) {
    const typed = draft[field.name];
    if (typed === undefined) continue;
    if (field.kind === 'url') problems.push(...withoutScheme(field, typed ?? ''));
    try {
      Object.assign(ad, { [field.name]: readField(field, typed ?? '') });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      problems.push(...error.problems);
    }
  }
  if ((ad.title ?? ad.content ?? ad.imageUrl) === null) {
    problems.push({ message: 'the ad is empty: give it at least a title, a content or an image' });
  }
  problems.push(...neverRuns('ad', ad, draft, now));
  const result = accept(SnapshotAd, ad);
  if (result.ok && problems.length === 0) return result.value;
  const fields = result.ok
    ? []
    : result.fields.map(({ field, message }) => ({ at: field, message: message.slice(field.length + 2) }));
  throw new OperationError([...fields.filter(({ at }) => !problems.some((problem) => problem.at === at)), ...problems]);
}

/** The value of a field that was typed. @throws OperationError */
function readField(field: AdField, typed: string): string | number | null | undefined {
  const { name: at, kind } = field;
  if (kind === 'format') return typed.trim().toUpperCase();
  if (kind === 'campaign') return typed.trim() || undefined;
  if (kind === 'number') {
    if (/^-?\d{1,9}$/.test(typed.trim())) return Number(typed);
    throw new OperationError([{ at, message: `expected a whole number, received ${JSON.stringify(typed)}` }]);
  }
  if (typed.trim() === '') return null;
  if ('maxLength' in field && typed.length > field.maxLength) {
    const message = `expected at most ${field.maxLength} characters, received ${typed.length}`;
    throw new OperationError([{ at, message }]);
  }
  if (kind === 'first day') return readInstant(at, typed, '00:00:00.000');
  if (kind === 'last day') return readInstant(at, typed, '23:59:59.999');
  return typed;
}

/**
 * The contract accepts a URL without a scheme, which is relative to the page of the ad. But a person who types one has
 * probably forgotten the scheme, and the link of the ad would not work.
 */
function withoutScheme({ name: at, example }: Extract<AdField, { kind: 'url' }>, typed: string): OperationProblem[] {
  if (typed.trim() === '' || typed.startsWith('/')) return [];
  // A host with a port looks like a scheme.
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed)) return [];
  const meant = /^[^\s/]+\.[^\s/]+/.test(typed) && at === 'linkUrl' ? `https://${typed}` : example;
  const message = `${JSON.stringify(typed)} starts neither with a scheme, such as https://, nor with /; write ${meant}`;
  return [{ at, message }];
}
