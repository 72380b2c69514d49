import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import type { Campaign } from '../store.ts';
import * as rule from './campaign.ts';

type Rule = Pick<typeof rule, 'admits' | 'aheadOfPlan' | 'behindPlan' | 'planOf' | 'weeklyTraffic'>;

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-02T00:00:00.000Z');
const at = (days: number) => START + days * DAY;
const iso = (days: number) => new Date(at(days)).toISOString();

const campaign = (more: Partial<Campaign> = {}): Campaign & rule.Period => {
  const one: Campaign = {
    ...{ id: 'c', sponsor: 'Tea', name: 'Spring', kind: 'paid', startsAt: iso(0), endsAt: iso(10) },
    ...{ goal: { impressions: 1000 }, perDay: null, pace: 'even', ...more },
  };
  return { ...one, ...rule.periodOf(one) };
};
const progress = (impressions = 0, more: Partial<rule.CampaignProgress> = {}) => ({
  ...{ impressions, clicks: 0, today: 0, ...more },
});
/** The deliveries by hour over a number of days before the campaign starts. */
const history = (days: number, ofHour: (hour: number) => number) =>
  Array.from({ length: days * 24 }, (_, index) => {
    const hour = START / HOUR - 1 - index;
    return [hour, ofHour(hour)] as const;
  });

/** For each situation, pairs of the result of the rule and the expected result. */
const situations: Readonly<Record<string, (it: Rule) => readonly (readonly [unknown, unknown])[]>> = {
  'a campaign runs from the start of its window, included, to its end, excluded': ({ admits }) => [
    [admits(campaign(), progress(), at(0)), true],
    [admits(campaign(), progress(), at(0) - 1), false],
    [admits(campaign(), progress(), at(10) - 1), true],
    [admits(campaign(), progress(), at(10)), false],
    [admits(campaign({ startsAt: null, endsAt: null }), progress(), at(99)), true],
    [admits(campaign({ startsAt: null }), progress(), at(-99)), true],
    [admits(campaign({ endsAt: null }), progress(999), at(99)), true],
  ],
  'a paused campaign does not run': ({ admits }) => [
    [admits(campaign({ paused: true }), progress(), at(1)), false],
    [admits(campaign({ paused: false }), progress(), at(1)), true],
  ],
  'a campaign is behind by the missing share of what is due': ({ behindPlan, weeklyTraffic }) => {
    const noon = weeklyTraffic(
      history(14, (hour) => (hour % 24 === 12 ? 60 : 0)),
      at(0),
    );
    const clicks = campaign({ goal: { clicks: 10 } });
    return [
      [behindPlan(campaign(), progress(0), at(1)), 1],
      [behindPlan(campaign(), progress(300), at(4)), 0.25],
      [behindPlan(campaign({ pace: 'fast' }), progress(300), at(4)), 0.25],
      [behindPlan(campaign(), progress(300), at(3)), 0],
      [behindPlan(campaign(), progress(400), at(3)), 0],
      [behindPlan(campaign(), progress(), at(0)), 0],
      [behindPlan(campaign({ goal: null }), progress(), at(5)), 0],
      [behindPlan(campaign({ startsAt: null }), progress(), at(5)), 0],
      [behindPlan(campaign({ endsAt: null }), progress(), at(5)), 0],
      [behindPlan(clicks, progress(900, { clicks: 3 }), at(4)), 0.25],
      [behindPlan(campaign({ endsAt: iso(2) }), progress(250), at(1), noon), 0.5],
      [behindPlan(campaign({ endsAt: iso(2) }), progress(0), at(0.4), noon), 0],
    ];
  },
  'a campaign is ahead or behind relative to what is due since its plan was edited': ({ aheadOfPlan }) => {
    const { startsAt, endsAt, goal, pace } = campaign();
    const plan = { startsAt, endsAt, goal, pace, since: at(5), impressions: 100, clicks: 0 };
    return [
      [aheadOfPlan(campaign(), progress(750), at(5)), 0.5],
      [aheadOfPlan(campaign(), progress(400, { plan }), at(5)), 0],
      [aheadOfPlan(campaign(), progress(1000, { plan }), at(10)), 0],
      [aheadOfPlan(campaign(), progress(325, { plan }), at(7.5)), -0.5],
      [aheadOfPlan(campaign(), progress(775, { plan }), at(7.5)), 0.5],
    ];
  },
  'a campaign stops once its goal is reached': ({ admits }) => [
    [admits(campaign({ pace: 'fast' }), progress(999), at(1)), true],
    [admits(campaign({ pace: 'fast' }), progress(1000), at(1)), false],
    [admits(campaign({ pace: 'fast' }), progress(1001), at(1)), false],
    [admits(campaign({ goal: { clicks: 5 }, pace: 'fast' }), progress(9999, { clicks: 4 }), at(1)), true],
    [admits(campaign({ goal: { clicks: 5 }, pace: 'fast' }), progress(0, { clicks: 5 }), at(1)), false],
    [admits(campaign({ goal: null }), progress(1_000_000), at(1)), true],
  ],
  'a daily cap applies at every pace': ({ admits }) => [
    [admits(campaign({ perDay: 10, pace: 'fast' }), progress(500, { today: 9 }), at(1)), true],
    [admits(campaign({ perDay: 10, pace: 'fast' }), progress(500, { today: 10 }), at(1)), false],
    [admits(campaign({ perDay: 10, goal: null }), progress(0, { today: 10 }), at(1)), false],
    [admits(campaign({ perDay: 10 }), progress(50, { today: 0 }), at(5)), true],
  ],
  'an even pace never runs ahead of the elapsed time': ({ admits }) => [
    [admits(campaign(), progress(0), at(0)), true],
    [admits(campaign(), progress(1), at(0)), false],
    [admits(campaign(), progress(500), at(5)), true],
    [admits(campaign(), progress(501), at(5)), false],
    [admits(campaign(), progress(600), at(5)), false],
    [admits(campaign(), progress(999), at(10) - 1), true],
    [admits(campaign({ pace: 'fast' }), progress(999), at(0)), true],
    [admits(campaign({ goal: { clicks: 10 } }), progress(999, { clicks: 5 }), at(5)), true],
    [admits(campaign({ goal: { clicks: 10 } }), progress(0, { clicks: 6 }), at(5)), false],
  ],
  'an even pace follows the traffic of each hour': ({ admits, weeklyTraffic }) => {
    // All traffic falls between noon and one o'clock: half of a campaign of two days is due after the first such hour.
    const noon = weeklyTraffic(
      history(14, (hour) => (hour % 24 === 12 ? 60 : 0)),
      at(0),
    );
    const days = campaign({ endsAt: iso(2), goal: { impressions: 100 } });
    return [
      [admits(days, progress(0), at(0.4), noon), true],
      [admits(days, progress(1), at(0.4), noon), false],
      [admits(days, progress(25), at(0) + 12.5 * HOUR, noon), true],
      [admits(days, progress(26), at(0) + 12.5 * HOUR, noon), false],
      [admits(days, progress(50), at(0.9), noon), true],
      [admits(days, progress(51), at(0.9), noon), false],
    ];
  },
  'an even pace follows the traffic of each weekday, over several weeks': ({ admits, weeklyTraffic }) => {
    // Half of all deliveries fall on the weekday on which the campaign starts.
    const traffic = weeklyTraffic(
      history(14, (hour) => (Math.floor((START / HOUR - hour - 1) / 24) % 7 === 6 ? 6 : 1)),
      at(0),
    );
    const weeks = campaign({ endsAt: iso(21), goal: { impressions: 300 } });
    // The current hour is not over yet, so it does not count.
    const begun = weeklyTraffic([...history(14, () => 1), [START / HOUR, 9999]], at(0));
    return [
      [admits(campaign({ endsAt: iso(2) }), progress(501), at(1), begun), false],
      [admits(weeks, progress(50), at(1), traffic), true],
      [admits(weeks, progress(51), at(1), traffic), false],
      [admits(weeks, progress(100), at(7), traffic), true],
      [admits(weeks, progress(150), at(8), traffic), true],
      [admits(weeks, progress(151), at(8), traffic), false],
      [admits(weeks, progress(299), at(21) - 1, traffic), true],
    ];
  },
  'an hour of the week weighs its average, however often it was seen': ({ admits, weeklyTraffic }) => {
    // The last three and a half days of the week were seen twice, the others once.
    const even = weeklyTraffic(
      history(10.5, () => 4),
      at(0),
    );
    const week = campaign({ endsAt: iso(7) });
    return [
      [admits(week, progress(500), at(3.5), even), true],
      [admits(week, progress(501), at(3.5), even), false],
      [admits(week, progress(250), at(1.75), even), true],
      [admits(week, progress(251), at(1.75), even), false],
    ];
  },
  'what was delivered before an edit does not count against the plan after it': ({ admits, planOf }) => {
    const before = { impressions: 600, clicks: 3, today: 0 };
    const plan = planOf(campaign(), undefined, before, at(5));
    const open = campaign({ startsAt: null });
    return [
      [admits(campaign(), { ...before, plan }, at(5)), true],
      [admits(campaign(), { ...before, impressions: 601, plan }, at(5)), false],
      [admits(campaign(), { ...before, impressions: 800, plan }, at(7.5)), true],
      [admits(campaign(), { ...before, impressions: 801, plan }, at(7.5)), false],
      [admits(campaign(), { ...before, impressions: 1000, plan }, at(10) - 1), false],
      [admits(open, { ...before, impressions: 601, plan: planOf(open, undefined, before, at(5)) }, at(5)), false],
    ];
  },
  'a plan begins with its campaign, or when it is edited': ({ planOf }) => {
    const [none, some] = [progress(), progress(7, { clicks: 2 })];
    const first = planOf(campaign(), undefined, none, at(3));
    const edited = (more: Partial<Campaign>) => planOf(campaign(more), first, some, at(4));
    const isNew = (plan: rule.Plan | undefined) => plan?.since === at(4) && plan.impressions === 7 && plan.clicks === 2;
    return [
      [first?.since === at(0) && first.impressions === 0 && first.clicks === 0, true],
      [planOf(campaign({ startsAt: null }), undefined, none, at(3))?.since === at(3), true],
      [edited({}) === first, true],
      [edited({ sponsor: 'Other', name: 'Other', kind: 'house', perDay: 9 }) === first, true],
      [isNew(edited({ startsAt: iso(1) })), true],
      [isNew(edited({ endsAt: iso(20) })), true],
      [isNew(edited({ goal: { impressions: 999 } })), true],
      [isNew(edited({ goal: { clicks: 1000 } })), true],
      [isNew(planOf(campaign(), undefined, some, at(4))), true],
      [planOf(campaign({ endsAt: iso(20) }), first, none, at(4))?.since === at(4), true],
      [edited({ pace: 'fast' }) === undefined, true],
      [edited({ endsAt: null }) === undefined, true],
      [edited({ goal: null }) === undefined, true],
    ];
  },
  'an even pace follows the clock until there is a full week of history with any traffic': ({
    admits,
    weeklyTraffic,
  }) => {
    const few = weeklyTraffic(
      history(6, () => 5),
      at(0),
    );
    const old = weeklyTraffic([[START / HOUR - 337, 9]], at(0));
    const current = weeklyTraffic([[START / HOUR, 9]], at(0));
    const quiet = weeklyTraffic(
      history(14, () => 0),
      at(0),
    );
    return [few, old, current, quiet].flatMap((traffic) => [
      [traffic === undefined || traffic === quiet, true] as const,
      [admits(campaign(), progress(500), at(5), traffic), true] as const,
      [admits(campaign(), progress(501), at(5), traffic), false] as const,
    ]);
  },
};

describe('a campaign', () => {
  for (const [name, say] of Object.entries(situations)) {
    test(name, () => {
      const said = say(rule);
      expect(said.map(([is]) => is)).toEqual(said.map(([, ought]) => ought));
    });
  }
});

/** Mutations of the pacing rule: a fragment of its source, and the replacement. */
const FAULTS: readonly (readonly [string, string])[] = [
  ['paused || ', ''],
  ['Math.max(0, -aheadOfPlan(...of))', '-aheadOfPlan(...of)'],
  ['(progress[counted] - before[counted]) / due', 'progress[counted] / due'],
  ['due > 0 ?', 'true ?'],
  ['now < from', 'now <= from'],
  ['now >= until', 'now > until'],
  ['now < from || now >= until', 'false'],
  ['progress.today >= perDay', 'progress.today > perDay'],
  ['progress.today >= perDay', 'progress.impressions >= perDay'],
  ["pace === 'even' && goal", 'goal'],
  ["pace === 'even' && goal", 'false && goal'],
  ['&& endsAt !== null', ''],
  ['goal !== null &&', ''],
  ['&& Number.isFinite(since)', ''],
  ['progress[what] < wanted &&', ''],
  ['progress[what] < wanted &&', 'progress[what] <= wanted &&'],
  ['<= (wanted - before[what]) * share', '< (wanted - before[what]) * share'],
  ['<= (wanted - before[what]) * share', '<= (wanted - before[what]) * share + 1'],
  ['<= (wanted - before[what]) * share', '<= wanted * share'],
  ['progress[what] - before[what]', 'progress.impressions - before.impressions'],
  ['progress[what] - before[what]', 'progress[what]'],
  ["['startsAt', 'endsAt', 'goal', 'pace']", "['endsAt', 'goal', 'pace']"],
  ["['startsAt', 'endsAt', 'goal', 'pace']", "['startsAt', 'goal', 'pace']"],
  ["['startsAt', 'endsAt', 'goal', 'pace']", "['startsAt', 'endsAt', 'pace']"],
  ['!known && impressions', 'impressions'],
  ['&& impressions + clicks === 0', ''],
  ['isFirst ? Date.parse(startsAt) : now', 'now'],
  ['traffic && all > 0', 'false'],
  ['traffic && all > 0', 'traffic'],
  ['(now - from) / (until - from)', '1'],
  ['(now - from) / (until - from)', '(until - now) / (until - from)'],
  ['(Math.floor(hour / WEEK) - base) *', '0 *'],
  ['(sums[hour % WEEK] ?? 0);', '(sums[hour % 24] ?? 0);'],
  ['* (time / HOUR - hour)', ''],
  ['(added.at(-1) ?? 0) + deliveries', '(added.at(-1) ?? 0) + 1'],
  ['hour < current &&', ''],
  ['hour >= current - TRAFFIC_HOURS', 'true'],
  ['if (first > current - WEEK) return undefined;', ''],
  ['(isSeenTwice ? count / 2 : count)', '(isSeenTwice ? 1 / 2 : 1)'],
  ['isSeenTwice ? count / 2 : count', 'count'],
  ['hour - WEEK >= first ||', ''],
  ['|| hour + WEEK < current', ''],
];

describe('each faulty pacing rule fails at least one situation', () => {
  const day = new URL('./day.ts', import.meta.url).href;
  const source = readFileSync(new URL('./campaign.ts', import.meta.url), 'utf8').replace('./day.ts', day);
  const folder = temporaryFolder();
  for (const [index, [text, fault]] of FAULTS.entries()) {
    test(`${text} -> ${fault || 'nothing'}`, async () => {
      expect(source.split(text)).toHaveLength(2);
      const path = folder.join(`campaign-${index}.ts`);
      writeFileSync(path, source.replace(text, fault));
      const faulty: Rule = await import(path);
      const noticed = Object.values(situations).some((say) => say(faulty).some(([is, ought]) => is !== ought));
      expect(noticed).toBe(true);
    });
  }
});

describe('shareOfDay', () => {
  const time = (text: string) => Date.parse(`2026-11-22T${text}Z`);

  test('without known traffic, the share of a day is the elapsed time', () => {
    expect(rule.shareOfDay(time('12:00:00'), undefined, undefined)).toBe(0.5);
    expect(rule.shareOfDay(time('00:00:00'), undefined, undefined)).toBe(0);
    expect(rule.shareOfDay(time('23:00:00'), 'Europe/Berlin', undefined)).toBe(0);
    // The day on which the clocks change has 25 hours.
    expect(rule.shareOfDay(Date.parse('2026-10-25T10:30:00Z'), 'Europe/Berlin', undefined)).toBe(0.5);
  });

  test('with known traffic, each hour is weighted by its usual traffic', () => {
    // A week of blogs that are read from 9:00 to 13:00 only.
    const traffic = Array.from({ length: 168 }, (_, hour) => (hour % 24 >= 9 && hour % 24 < 13 ? 100 : 0));
    const shares = ['08:59:00', '10:00:00', '12:30:00', '13:00:00'].map((text) =>
      rule.shareOfDay(time(text), 'UTC', traffic),
    );
    expect(shares).toEqual([0, 0.25, 0.875, 1]);
  });

  test('on a day of the week without traffic, the share is the elapsed time', () => {
    expect(rule.shareOfDay(time('06:00:00'), 'UTC', Array<number>(168).fill(0))).toBe(0.25);
  });
});
