import { dayOf } from '@broadsheet/core';

const DAY = 86_400_000;
const WEEK = 7;

export const PRESETS = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;
export type Preset = (typeof PRESETS)[number][0];
const DEFAULT: Preset = '30';
/** The number of days in the longest range; a chart of more days would be unreadable. */
const MOST_DAYS = 731;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const addDays = (day: string, days: number): string => dayOf(timeOf(day) + days * DAY);

/** The period that a query names; by default the last thirty days. */
export function readPeriod(query: URLSearchParams, now: number, timeZone?: string): Period {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const today = dayOf(now, timeZone);
  const period = (from: string, to: string, preset?: Preset) => periodOf(from, to, today, preset);
  if (isDay(from) && isDay(to) && from <= to && span(from, to) <= MOST_DAYS) return period(from, to);
  const named = query.get('period');
  const [preset] = PRESETS.find(([name]) => name === named) ?? [DEFAULT];
  if (preset === 'today') return period(today, today, preset);
  if (preset === 'yesterday') return period(addDays(today, -1), addDays(today, -1), preset);
  return period(addDays(today, 1 - Number(preset)), today, preset);
}

/** The days from the first to the last one, both included. */
export const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: span(from, to) }, (_, index) => addDays(from, index));

/** A range of days, and the days it is compared with. */
export type Period = ReturnType<typeof periodOf>;

function periodOf(from: string, to: string, today: string, preset: Preset | undefined) {
  const length = span(from, to);
  const shift = Math.ceil(length / WEEK) * WEEK;
  const days = daysBetween(from, to);
  return {
    /** The first and the last day, as `YYYY-MM-DD`. */
    ...{ from, to, days },
    /** The same number of earlier days, each on the same day of the week as the day it is compared with. */
    before: days.map((day) => addDays(day, -shift)),
    /** The index of the current day; -1 if it is not in the range. */
    current: days.indexOf(today),
    /** The preset that the URL names, if any. */
    preset,
  };
}

/** A range of the same length, moved by `times` its length. */
export function step({ from, to }: Pick<Period, 'from' | 'to'>, times: number): { from: string; to: string } {
  const length = span(from, to);
  return { from: addDays(from, times * length), to: addDays(to, times * length) };
}

const span = (from: string, to: string): number => Math.round((timeOf(to) - timeOf(from)) / DAY) + 1;

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(timeOf(text)) && dayOf(timeOf(text)) === text;
}
