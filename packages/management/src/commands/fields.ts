import {
  AD_FORMATS,
  CAMPAIGN_KINDS,
  CAMPAIGN_PACES,
  LIMITS,
  list,
  nullable,
  optional,
  text,
} from '@broadsheet/contract';
import { type Argument, flagged } from './command.ts';

/** How a field is typed: the placeholder of its flag. Empty days and amounts are absent. */
const KINDS = {
  text: 'text',
  paragraph: 'text',
  url: 'url',
  choice: 'id',
  number: 'number',
  amount: 'number',
  'first day': 'date-time',
  'last day': 'date-time',
  list: 'name',
} as const;

/** A field of an ad or a campaign that an operator sets: an argument of commands, and an input of the panel. */
export interface Field<Out = string | readonly string[] | null | undefined> extends Argument<Out>, Details {
  readonly kind: keyof typeof KINDS;
}

interface Details {
  /** Its label in the panel, and the hint below the input. */
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  /** The maximum number of characters, for the input of the panel. */
  readonly maxLength?: number;
  /** An example of a URL. */
  readonly example?: string;
}

type FieldDetails = Details & { readonly flag?: string; readonly value?: string };

export type Fields = Readonly<Record<string, Field>>;

/** The fields as they were typed: an empty text removes a field. */
export type Draft<F extends Fields = Fields> = { readonly [K in keyof F]?: OutOf<F[K]> };
type OutOf<F> = F extends Argument<infer Out> ? Out : never;

/** The rule of what is typed; the rules of snapshots limit each field further. */
export const TYPED = text({ max: LIMITS.body });

function field(
  kind: Field['kind'],
  help: string,
  { flag, value = KINDS[kind], ...details }: FieldDetails,
): Field<string | null | undefined> {
  return { ...flagged(optional(nullable(TYPED)), value, help, flag), kind, ...details };
}

const listField = (help: string, { flag, ...details }: FieldDetails): Field<string[] | null | undefined> => ({
  ...flagged(optional(nullable(list(TYPED))), KINDS.list, help, flag),
  ...{ kind: 'list', ...details },
});

const FIRST_DAY = { label: 'First day', hint: 'From the start of this day. Empty: from now on' };
const LAST_DAY = { label: 'Last day', hint: 'Until the end of this day. Empty: no end' };
const DAY_STARTS = 'a date means the start of that day, in the time zone of the blog';
const DAY_ENDS = 'a date means the end of that day, in the time zone of the blog';

/** The fields of an ad that an operator sets. `SnapshotAd` defines the ad, and the columns of the database. */
export const AD_FIELDS = {
  format: field('choice', AD_FORMATS.join(', '), {
    value: 'format',
    label: 'Format',
    isRequired: true,
    choices: AD_FORMATS,
  }),
  name: field('text', 'name in lists and figures, which readers do not see (default: the title)', {
    label: 'Name',
    hint: 'Readers do not see it. A sponsor sees it only if the ad has neither title nor text.',
    maxLength: LIMITS.name.max,
  }),
  title: field('text', `headline, at most ${LIMITS.adTitle.max} characters`, {
    label: 'Title',
    maxLength: LIMITS.adTitle.max,
  }),
  content: field('paragraph', 'body text', { label: 'Text' }),
  linkUrl: field('url', 'where a click leads', {
    flag: 'link',
    label: 'Link',
    hint: 'Where a click leads: https://…',
    example: 'https://sponsor.example',
  }),
  linkText: field('text', 'label of the call to action', { label: 'Link text', hint: 'Such as: See the menu' }),
  imageUrl: field('url', 'a file, which is stored, or a URL: https, http or data', {
    flag: 'image',
    value: 'file-or-url',
    label: 'Image',
    hint: 'The URL of an image: https://…',
    example: 'https://sponsor.example/logo.png',
  }),
  startsAt: field('first day', `not shown before this time; ${DAY_STARTS}`, { flag: 'starts', ...FIRST_DAY }),
  endsAt: field('last day', `not shown after this time; ${DAY_ENDS}`, { flag: 'ends', ...LAST_DAY }),
  priority: field('number', 'the highest is shown first', {
    label: 'Priority',
    hint: 'The highest is shown first; among equal ones, the one whose campaign is furthest behind.',
  }),
  campaignId: field('choice', 'id of the campaign, as "campaigns list" shows it', {
    flag: 'campaign',
    label: 'Campaign',
    hint: 'Its goal, period and daily cap apply to the ad.',
  }),
};

/** The fields of a campaign that an operator sets; the two goals are fields of `goal` in a `SnapshotCampaign`. */
export const CAMPAIGN_FIELDS = {
  sponsor: field('text', 'who pays for the campaign', { label: 'Sponsor', isRequired: true }),
  name: field('text', 'name of the campaign', { label: 'Name', isRequired: true }),
  kind: field('choice', 'paid or house; house ads are your own, and fill what others leave (default: paid)', {
    value: 'kind',
    label: 'Kind',
    hint: 'Ads of a house campaign are your own. They fill the slots that no other ad takes.',
    choices: CAMPAIGN_KINDS,
  }),
  startsAt: field('first day', `ads are not shown before this time; ${DAY_STARTS}`, { flag: 'from', ...FIRST_DAY }),
  endsAt: field('last day', `ads are not shown after this time; ${DAY_ENDS}`, { flag: 'to', ...LAST_DAY }),
  goalImpressions: field('amount', 'end after this many impressions', { label: 'Goal: impressions' }),
  goalClicks: field('amount', 'end after this many clicks; a campaign has one goal', { label: 'Goal: clicks' }),
  perDay: field('amount', 'maximum impressions per day, in the time zone of the blog', {
    label: 'Impressions per day',
  }),
  pace: field('choice', 'even spreads the goal over the whole time, fast does not (default: even)', {
    value: 'pace',
    label: 'Pace',
    hint: 'Even: the goal is spread over the whole time. Fast: as soon as possible.',
    choices: CAMPAIGN_PACES,
  }),
  placements: listField('only in slots with this id; a * at the end matches all ids that start that way; repeatable', {
    flag: 'placement',
    label: 'Placements',
  }),
};

export type AdFieldName = keyof typeof AD_FIELDS;
export type CampaignFieldName = keyof typeof CAMPAIGN_FIELDS;
