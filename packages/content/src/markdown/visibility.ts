import type { SnapshotPost } from '@broadsheet/contract';
import type { Meaning } from './field-names.ts';
import { dateIn, type FieldReader, flagIn, type WrittenField } from './fields.ts';
import { type FieldValue, isMap } from './front-matter.ts';
import { meantBy } from './misspelt.ts';

/** Whether readers may see a post, as far as its file says so. */
export interface Visibility {
  readonly status: SnapshotPost['status'];
  readonly scheduledAt: string | null;
  /** When it appears, and when it disappears; what that means depends on the time zone of the blog. */
  readonly releaseAt?: string;
  readonly expiresAt?: string;
  /** What may hide the post and is not understood: it is a draft for this reason, such as `the field "stage"`. */
  readonly doubts: readonly string[];
}

interface Context {
  readonly path: string;
  /** The date of the post. */
  readonly date: string | null;
  /** Whether the file has a title or a date. Others may be notes that were never meant for readers. */
  readonly isPost: boolean;
}

/**
 * Decides whether a post is public. Anything that hides it on its old site is enough to make it a draft, and so is
 * anything that may hide it and is not understood.
 */
export function visibilityOf(fields: FieldReader, { path, date, isPost }: Context): Visibility {
  const releaseAt = fields.date('release');
  const scheduled = fields.date('scheduled');
  const signs = [...hidingFlags(fields), ...showingFlags(fields), ...statusSigns(fields)];
  const [expiresAt, unknownEnds] = expiryOf(fields);
  signs.push(...unknownEnds);
  signs.push(...pathSigns(path), ...fields.unread.flatMap(unreadSigns));
  if (!isPost) signs.push({ doubt: 'a file with neither a title nor a date' });
  const isScheduled = fields.of('status').some(({ value }) => SCHEDULED.test(wordIn(value)));
  const scheduledAt = scheduled ?? (isScheduled ? (releaseAt ?? date) : null);
  if (isScheduled && scheduledAt === null) fields.report('status', 'is scheduled; add a line "scheduledAt: …"');
  const doubts = signs.flatMap((sign) => (typeof sign === 'object' ? sign.doubt : []));
  const times = { scheduledAt, ...(releaseAt && { releaseAt }), ...(expiresAt && { expiresAt }) };
  const status = signs.length > 0 ? 'DRAFT' : scheduledAt === null ? 'PUBLISHED' : 'SCHEDULED';
  return { status, ...times, doubts };
}

/** A sign that hides a post: one that is understood, or a doubt. */
type Sign = 'hidden' | { readonly doubt: string };

const doubtAbout = ({ name }: WrittenField): Sign => ({ doubt: `the field "${name}"` });

function hidingFlags(fields: FieldReader): Sign[] {
  const flags = fields.of('hiding').flatMap((field): Sign[] => {
    const flag = flagIn(field.value);
    if (flag === undefined) return [doubtAbout(field)];
    return flag ? ['hidden'] : [];
  });
  const builds = fields.of('build').filter(({ value }) => isMap(value) && Object.values(value).some(isNever));
  return [...flags, ...[...fields.of('password'), ...builds].map((): Sign => 'hidden')];
}

const isNever = (value: FieldValue): boolean =>
  flagIn(value) === false || /^(?:never|local|link)$/i.test(wordIn(value));

/** Some generators write the date of publication into these fields. */
function showingFlags(fields: FieldReader): Sign[] {
  const addresses = fields.of('address').filter(({ value }) => flagIn(value) === false);
  const flags = fields.of('showing').flatMap((field): Sign[] => {
    const flag = flagIn(field.value);
    if (flag === undefined) return dateIn(field.value) === undefined ? [doubtAbout(field)] : [];
    return flag ? [] : ['hidden'];
  });
  return [...flags, ...addresses.map((): Sign => 'hidden')];
}

const SCHEDULED = /^(?:scheduled|future)$/i;
const PUBLIC = /^(?:publi(?:c|sh|shed)|live|listed|visible|everyone|all|featured|true|yes)$/i;
const HIDDEN =
  /^(?:_?drafts?|private|hidden|unpublished|unlisted|pending|members|paid|tiers|password|protected|embargoed|wip|skip|false|no)$/i;

function statusSigns(fields: FieldReader): Sign[] {
  return [...fields.of('status'), ...fields.of('visibility')].flatMap((field): Sign[] => {
    const word = wordIn(field.value);
    if (PUBLIC.test(word) || SCHEDULED.test(word)) return [];
    return [HIDDEN.test(word) ? 'hidden' : { doubt: `the value "${word}" of "${field.name}"` }];
  });
}

/** When a post disappears, and the ends that are not understood. */
function expiryOf(fields: FieldReader): [string | undefined, Sign[]] {
  const ends = fields.of('expiry').map((field) => ({ field, end: dateIn(field.value) }));
  return [
    ends.find(({ end }) => end !== undefined)?.end,
    ends.flatMap(({ field, end }) => (end === undefined ? [doubtAbout(field)] : [])),
  ];
}

/** Folders of drafts, and files that generators leave out by their names. */
function pathSigns(path: string): Sign[] {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  if (folders.some((folder) => HIDDEN_FOLDER.test(folder)) || HIDDEN_FILE.test(file)) return ['hidden'];
  return file.startsWith('_') ? [{ doubt: 'a file name that begins with "_"' }] : [];
}

const HIDDEN_FOLDER = /^[._-]*(?:drafts?|unpublished|private|hidden|unlisted|wip|embargoed|scheduled)$/i;
const HIDDEN_FILE = /\.(?:drafts?|private|hidden|wip)\.[^.]+$/i;

/** Names and values of unknown fields that speak of visibility. */
function unreadSigns(field: WrittenField): Sign[] {
  if (isHidingWord(wordIn(field.value)) || looksLikeVisibility(field)) return [doubtAbout(field)];
  const flag = flagIn(field.value);
  const isNegative = NEGATIVE.test(field.name);
  if (isNegative) return flag === false ? [] : [doubtAbout(field)];
  return POSITIVE.test(separated(field.name)) && flag !== true ? [doubtAbout(field)] : [];
}

const wordIn = (value: FieldValue): string => (typeof value === 'string' ? value.trim() : '');

const DECIDING: readonly Meaning[] = ['hiding', 'showing', 'status', 'visibility', 'expiry', 'release', 'password'];

/** Whether the name is a misspelling of a field that may hide a post. Words as short as "live" look like too many others. */
function looksLikeVisibility({ name }: WrittenField): boolean {
  const meant = meantBy(name);
  return meant !== undefined && meant.name.length > 4 && !/^publisher$/i.test(name) && DECIDING.includes(meant.meaning);
}

const isHidingWord = (word: string): boolean => HIDDEN.test(word) && flagIn(word) === undefined;

const NEGATIVE = /draft|unpublish|private|hidden|unlisted|invisib|expir|embargo|password|\bwip\b/i;
/** `publisher` and `publication` say who and where, and not whether. */
const POSITIVE = /(?:^| )(?:publish|published|visible|visibility|public|listed)(?: |$)/i;

/** A name as separate words. */
const separated = (name: string): string => name.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|[^\p{L}\d]+/gu, ' ');
