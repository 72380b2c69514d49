import { accept, type RecordRule, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { withStart } from '@broadsheet/core';
import { OperationError, type OperationProblem, problemsAt } from '../operations/operation-error.ts';
import { type BlogTime, DAY_END, DAY_START, neverRuns, readTimestamp } from '../operations/timestamps.ts';
import { AD_FIELDS, CAMPAIGN_FIELDS, type Draft, type Field, type Fields } from './fields.ts';

type Values = Readonly<Record<string, unknown>>;

/** The blog of a draft. Its domains complete a URL. */
export interface DraftBlog extends BlogTime {
  readonly domains?: readonly string[] | undefined;
  /** Whether the item is new: it has nothing that an empty text, such as a variable that is not set, could remove. */
  readonly isNew?: boolean;
}

/**
 * Reads an ad by the rules of a snapshot; it also needs something to show, a URL that works when clicked, and a period
 * that is not over. Fields that the draft omits keep their value in `before`; an empty string removes a field.
 *
 * @throws OperationError with every problem
 */
export const readAdDraft = (before: SnapshotAd, draft: Draft<typeof AD_FIELDS>, of: DraftBlog): SnapshotAd =>
  readDraft({ what: 'ad', fields: AD_FIELDS, rule: SnapshotAd, draft, of }, before, (values, problems) => {
    const { title, content, imageUrl } = values;
    const isEmpty = (title ?? content ?? imageUrl) === null;
    if (isEmpty) problems.push({ message: 'the ad is empty: give it a title, a text or an image' });
    return values;
  });

/** Reads a campaign as {@link readAdDraft} reads an ad; it needs a sponsor and a name, and has at most one goal. */
export function readCampaignDraft(
  { goal: before, ...others }: SnapshotCampaign,
  draft: Draft<typeof CAMPAIGN_FIELDS>,
  of: BlogTime,
): SnapshotCampaign {
  const goals = { goalImpressions: before?.impressions ?? null, goalClicks: before?.clicks ?? null };
  const reading = { what: 'campaign', fields: CAMPAIGN_FIELDS, rule: SnapshotCampaign, draft, of } as const;
  const read = readDraft(reading, { ...others, ...goals }, ({ goalImpressions, goalClicks, ...values }, problems) => {
    const message = 'a campaign has one goal: specify either impressions or clicks';
    if (goalImpressions && goalClicks) problems.push({ at: 'goalClicks', message });
    const goal = goalImpressions ? { impressions: goalImpressions } : goalClicks ? { clicks: goalClicks } : null;
    return { ...values, goal };
  });
  return withStart(read, of.now);
}

interface Reading<T> {
  readonly what: 'ad' | 'campaign';
  readonly fields: Fields;
  readonly rule: RecordRule<T, unknown>;
  readonly draft: Draft;
  readonly of: DraftBlog;
}

/** @param itemOf makes an item of the values, and reports what is wrong with them together */
function readDraft<T extends Pick<SnapshotAd, 'startsAt' | 'endsAt'>>(
  { what, fields, rule, draft, of }: Reading<T>,
  before: object,
  itemOf: (values: Values, problems: OperationProblem[]) => Values,
): T {
  const problems: OperationProblem[] = [];
  const values: Record<string, unknown> = { ...before };
  for (const [name, field] of Object.entries(fields)) {
    const typed = draft[name];
    if (typed === undefined) continue;
    if (of.isNew && !field.isRequired && [typed].flat().includes('')) {
      problems.push({ at: name, message: 'is empty: leave it out, or give it a value' });
      continue;
    }
    try {
      const value = readField(name, field, typed ?? '', of);
      // A field without a value is `null`, or absent if its rule is optional.
      values[name] = rule.fields[name]?.kind === 'optional' ? (value ?? undefined) : value;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      problems.push(...error.problems);
    }
  }
  const read = accept(rule, itemOf(values, problems));
  if (read.ok) {
    problems.push(...neverRuns(what, read.value, draft, of));
    if (problems.length === 0) return read.value;
    throw new OperationError(problems);
  }
  const others = read.fields.filter(({ field }) => !problems.some(({ at }) => at === field));
  // The items of a list share its field.
  const wrong = problemsAt(others).map(({ at = '', message }) => ({ at: at.replace(/\.\d+$/, ''), message }));
  throw new OperationError([...wrong, ...problems]);
}

/** The value of a field that was typed. @throws OperationError */
function readField(
  at: string,
  field: Field,
  given: string | readonly string[],
  { timeZone, domains = [] }: DraftBlog,
): unknown {
  const { kind, choices = [], isRequired } = field;
  // A list without items is absent.
  if (kind === 'list') return given.length > 0 ? [given].flat().map((item) => item.trim()) : undefined;
  const typed = String(given);
  const trimmed = typed.trim();
  if (isRequired && trimmed === '') throw new OperationError([{ at, message: `enter a ${field.label.toLowerCase()}` }]);
  switch (kind) {
    case 'choice':
      // Without one, a field has its default.
      return choices.find((choice) => choice.toLowerCase() === trimmed.toLowerCase()) ?? (trimmed || undefined);
    case 'number':
    case 'amount':
      if (kind === 'amount' && trimmed === '') return null;
      return readNumber(at, typed, kind === 'amount');
    case 'first day':
      return trimmed === '' ? null : readTimestamp(at, typed, DAY_START, timeZone);
    case 'last day':
      return trimmed === '' ? null : readTimestamp(at, typed, DAY_END, timeZone);
    case 'url':
      requireWholeUrl(at, trimmed, field.example, domains);
      return trimmed || null;
    default:
      return trimmed === '' ? null : kind === 'text' ? trimmed : typed;
  }
}

/** The largest numbers; a priority may also be negative. */
const LARGEST = { amount: 999_999_999_999, priority: 999_999_999 };

/** @throws OperationError */
function readNumber(at: string, typed: string, isAmount: boolean): number {
  const trimmed = typed.trim();
  const [min, max] = isAmount ? [1, LARGEST.amount] : [-LARGEST.priority, LARGEST.priority];
  const value = /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (value >= min && value <= max) return value;
  const isGrouped = /^\d{1,3}([.,' \u00a0\u202f]\d{3})+$/.test(trimmed);
  const message = isGrouped
    ? `write ${trimmed.replace(/\D/g, '')}, without separators`
    : `expected a whole number from ${min} to ${max}, received ${JSON.stringify(typed)}`;
  throw new OperationError([{ at, message }]);
}

/**
 * The contract accepts a URL that is relative to its page, but the widget neither follows nor loads one: the ad may be on
 * another site. Nor does a report load such a logo.
 *
 * @param example a URL of this kind
 * @throws OperationError with the URL that was probably meant
 */
export function requireWholeUrl(
  at: string,
  typed: string,
  example: string | undefined,
  domains: readonly string[],
): void {
  // A host with a port looks like a scheme.
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(typed);
  if (typed === '' || (hasScheme && (!/^https?:/i.test(typed) || URL.canParse(typed)))) return;
  const [host = ''] = domains.map((domain) => domain.replace(/^\*\./, ''));
  const isPath = /^\/(?!\/)/.test(typed);
  const rest = typed.replace(/^(?:https?)?:?/i, '').replace(/^\/+/, '');
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const dot = authority.indexOf('.', 1);
  // A name with a dot is a host, but for an image it is a file unless a path follows.
  const isName = dot !== -1 && dot < authority.length - 1 && !/\s/.test(authority);
  const isHost = isName && (at === 'linkUrl' || rest.includes('/'));
  const meant = isPath ? host && `https://${host}${typed}` : isHost ? `https://${rest}` : '';
  const suggestion = URL.canParse(meant) ? { suggestion: meant } : undefined;
  const complete = `is not a complete URL, such as ${example}`;
  const reason = isPath ? 'has no host, but is used on other sites, too' : isHost ? 'has no https://' : complete;
  const question = suggestion ? `. Did you mean ${meant}?` : '';
  throw new OperationError([{ at, message: `${JSON.stringify(typed)} ${reason}${question}`, ...suggestion }]);
}
