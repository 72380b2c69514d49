import { CAMPAIGN_KINDS, CAMPAIGN_PACES } from '@broadsheet/contract';

/** How a field of a campaign is entered and read. */
type CampaignFieldKind = 'text' | 'choice' | 'number' | 'first day' | 'last day';

interface CampaignField {
  /** The name in a snapshot; the two goals are fields of `goal` there. */
  readonly name: string;
  readonly kind: CampaignFieldKind;
  /** The flag of the command line, the placeholder of its value, and its text in `--help`. */
  readonly flag: string;
  readonly value: string;
  readonly help: string;
  /** The label in the panel, and the hint below the input. */
  readonly label: string;
  readonly hint?: string;
  readonly choices?: readonly string[];
}

/** The fields of a campaign that an operator sets, for the command line, the panel and the reader of drafts. */
export const CAMPAIGN_FIELDS = [
  {
    name: 'sponsor',
    kind: 'text',
    flag: 'sponsor',
    value: 'text',
    help: 'who pays for the campaign',
    label: 'Sponsor',
  },
  { name: 'name', kind: 'text', flag: 'name', value: 'text', help: 'name of the campaign', label: 'Name' },
  {
    name: 'kind',
    kind: 'choice',
    flag: 'kind',
    value: 'kind',
    help: 'paid or house; house ads are your own (default: paid)',
    label: 'Kind',
    choices: CAMPAIGN_KINDS,
  },
  {
    name: 'startsAt',
    kind: 'first day',
    flag: 'from',
    value: 'date-time',
    help: 'ads are not shown before this time; a date means the start of that day, UTC',
    label: 'First day',
    hint: 'From midnight UTC. Empty: from now on',
  },
  {
    name: 'endsAt',
    kind: 'last day',
    flag: 'to',
    value: 'date-time',
    help: 'ads are not shown after this time; a date means the end of that day, UTC',
    label: 'Last day',
    hint: 'Until midnight UTC. Empty: no end',
  },
  {
    name: 'goalImpressions',
    kind: 'number',
    flag: 'goal-impressions',
    value: 'number',
    help: 'end after this many impressions',
    label: 'Goal: impressions',
  },
  {
    name: 'goalClicks',
    kind: 'number',
    flag: 'goal-clicks',
    value: 'number',
    help: 'end after this many clicks; a campaign has one goal',
    label: 'Goal: clicks',
  },
  {
    name: 'perDay',
    kind: 'number',
    flag: 'per-day',
    value: 'number',
    help: 'maximum impressions per day (UTC)',
    label: 'Impressions per day',
  },
  {
    name: 'pace',
    kind: 'choice',
    flag: 'pace',
    value: 'pace',
    help: 'even spreads the goal over the whole time, fast does not (default: even)',
    label: 'Pace',
    choices: CAMPAIGN_PACES,
  },
] as const satisfies readonly CampaignField[];

/** The name of a field that an operator sets. */
export type CampaignFieldName = (typeof CAMPAIGN_FIELDS)[number]['name'];

/** The fields of a campaign as they were typed: an empty string means that the field is absent. */
export type CampaignDraft = Readonly<Partial<Record<CampaignFieldName, string | null | undefined>>>;
