import { defaultsOf, SnapshotCampaign } from '@broadsheet/contract';

const DAY = 86_400_000;

/** When a sample campaign starts and ends, in days from today; without an end, it runs until it is stopped. */
interface Sample extends Partial<Omit<SnapshotCampaign, 'startsAt' | 'endsAt'>> {
  readonly id: string;
  readonly sponsor: string;
  readonly name: string;
  readonly from?: number;
  readonly until?: number;
}

/** One campaign in each state that the panel shows: running, capped, reached, waiting, and one of the magazine itself. */
const SAMPLES: readonly Sample[] = [
  {
    id: 'spring-colours',
    sponsor: 'Tidewater Ink',
    name: 'Spring colours',
    from: -24,
    until: 12,
    goal: { impressions: 5000 },
  },
  { id: 'tune-up', sponsor: 'Oduya Wheels', name: 'Winter tune-up', from: -40, perDay: 60, pace: 'fast' },
  {
    id: 'twelve-books',
    sponsor: 'Coldharbour Press',
    name: 'Twelve small books',
    from: -30,
    pace: 'fast',
    goal: { impressions: 800 },
  },
  {
    id: 'nine-rains',
    sponsor: 'Fisk Rainwear',
    name: 'The nine rains',
    from: 6,
    until: 36,
    goal: { impressions: 4000 },
  },
  { id: 'saturday', sponsor: 'The Broadsheet', name: 'The Saturday edition', kind: 'house', pace: 'fast' },
];

export const sampleCampaigns = (now: number): SnapshotCampaign[] =>
  SAMPLES.map(({ from, until, ...campaign }) => ({
    ...defaultsOf(SnapshotCampaign),
    ...campaign,
    startsAt: from === undefined ? null : midnight(now, from),
    endsAt: until === undefined ? null : midnight(now, until),
  }));

/** Midnight UTC, this many days from today. */
const midnight = (now: number, days: number): string => new Date((Math.floor(now / DAY) + days) * DAY).toISOString();
