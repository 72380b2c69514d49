import { AD_FORMATS, type SnapshotAd } from '@broadsheet/contract';

/** How a field of an ad is entered and read. */
type AdFieldKind = 'format' | 'text' | 'paragraph' | 'url' | 'number' | 'first day' | 'last day' | 'campaign';

interface AdField {
  readonly name: keyof SnapshotAd;
  readonly kind: AdFieldKind;
  /** The flag of the command line, the placeholder of its value, and its text in `--help`. */
  readonly flag: string;
  readonly value: string;
  readonly help: string;
  /** The label in the panel, and the hint below the input. */
  readonly label: string;
  readonly hint?: string;
  /** The maximum number of characters. */
  readonly maxLength?: number;
  /** An example of a URL. */
  readonly example?: string;
}

/**
 * The fields of an ad that an operator sets: the flags of the command line, the form of the panel and the reader of
 * drafts use this table. `SnapshotAd` defines the ad itself, and the columns of the database have the same names.
 */
export const AD_FIELDS = [
  {
    name: 'format',
    kind: 'format',
    flag: 'format',
    value: 'format',
    help: AD_FORMATS.join(', '),
    label: 'Format',
  },
  {
    name: 'title',
    kind: 'text',
    flag: 'title',
    value: 'text',
    help: 'headline, at most 120 characters',
    label: 'Title',
    maxLength: 120,
  },
  { name: 'content', kind: 'paragraph', flag: 'content', value: 'text', help: 'body text', label: 'Text' },
  {
    name: 'linkUrl',
    kind: 'url',
    flag: 'link',
    value: 'url',
    help: 'where a click leads',
    label: 'Link',
    hint: 'Where a click leads: https://…',
    example: 'https://sponsor.example or, on the blog itself, /sponsor',
  },
  {
    name: 'linkText',
    kind: 'text',
    flag: 'link-text',
    value: 'text',
    help: 'label of the call to action',
    label: 'Link text',
    hint: 'Such as: See the menu',
  },
  {
    name: 'imageUrl',
    kind: 'url',
    flag: 'image',
    value: 'file-or-url',
    help: 'a file, which is stored, or a URL: https, http or data',
    label: 'Image',
    hint: 'The URL of an image: https://…',
    example: 'https://sponsor.example/logo.png or, on the blog itself, /logo.png',
  },
  {
    name: 'startsAt',
    kind: 'first day',
    flag: 'starts',
    value: 'date-time',
    help: 'not shown before this time; a date means the start of that day, UTC',
    label: 'First day',
    hint: 'From midnight UTC. Empty: from now on',
  },
  {
    name: 'endsAt',
    kind: 'last day',
    flag: 'ends',
    value: 'date-time',
    help: 'not shown after this time; a date means the end of that day, UTC',
    label: 'Last day',
    hint: 'Until midnight UTC. Empty: no end',
  },
  {
    name: 'priority',
    kind: 'number',
    flag: 'priority',
    value: 'number',
    help: 'the highest is shown first',
    label: 'Priority',
    hint: 'The highest is shown first; ads of equal priority are chosen at random.',
  },
  {
    name: 'campaignId',
    kind: 'campaign',
    flag: 'campaign',
    value: 'id',
    help: 'id of the campaign, as "campaigns list" shows it',
    label: 'Campaign',
    hint: 'Its goal, period and daily cap apply to the ad.',
  },
] as const satisfies readonly AdField[];

/** The name of a field that an operator sets. */
export type AdFieldName = (typeof AD_FIELDS)[number]['name'];

/** The fields of an ad as they were typed: an empty string means that the field is absent. */
export type AdDraft = Readonly<Partial<Record<AdFieldName, string | null | undefined>>>;
