import { LIMITS } from '../limits.ts';
import { isTimestamp, isUuid } from './kinds.ts';
import type { Bounds, Rule } from './rule.ts';
import { isTimeZone } from './time-zone.ts';
import * as wording from './wording.ts';

/** A problem of a value, with its path. */
export interface Problem extends wording.Finding {
  readonly path: PropertyKey[];
}

/** Adds a problem of a value. */
export function note(text: string, code: string, problems: Problem[]): undefined {
  problems.push({ path: [], text, code });
}

type TextRule = Extract<
  Rule,
  { kind: 'text' | 'key' | 'term' | 'digits' | 'id' | 'timestamp' | 'guid' | 'zone' | 'place' | 'address' }
>;

/** Decimal digits. A negative number also has this form: it is reported as too small. */
export const INTEGER = /^(?:\d+|-0*[1-9]\d*)$/;

export const KEY = /^[\w-]*$/;

/** The characters that browsers remove from a URL before they read its scheme. */
const ignoredByBrowsers = /[\p{Cc}\s]/gu;
const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(ignoredByBrowsers, ''))?.[1]?.toLowerCase();

/** Reads a string by its rule. */
export function readText(rule: TextRule, input: string, problems: Problem[]): unknown {
  switch (rule.kind) {
    case 'text':
      bounded(lengthOf(input, rule), rule, problems, 'character');
      return input;
    case 'key':
      if (!KEY.test(input)) return note(wording.wrongForm(wording.FORMS.key, input), 'invalid_format', problems);
      bounded(input.length, rule, problems, 'character');
      return input;
    case 'term': {
      const term = normalizeTerm(input);
      bounded(lengthOf(term, rule), rule, problems, 'character');
      return term;
    }
    case 'digits':
      if (!INTEGER.test(input)) return note(wording.wrongForm(wording.FORMS.digits, input), 'invalid_format', problems);
      return bounded(Number(input), rule, problems);
    case 'id':
      bounded(bytesOf(input), LIMITS.id, problems, 'byte');
      return input;
    case 'timestamp': {
      if (!isTimestamp(input))
        return note(wording.wrongForm(wording.FORMS.datetime, input), 'invalid_format', problems);
      const timestamp = new Date(input).toISOString();
      // In UTC, the last hours of 9999 may be in a year with five digits, which would sort before all others as text.
      if (/^\d{4}-/.test(timestamp)) return timestamp;
      return note(wording.wrongForm('a year from 0000 to 9999 in UTC', input), 'custom', problems);
    }
    case 'guid':
      return isUuid(input) ? input : note(wording.wrongForm(wording.FORMS.guid, input), 'invalid_format', problems);
    case 'zone':
      return isTimeZone(input) ? input : note(wording.wrongForm(wording.FORMS.zone, input), 'invalid_format', problems);
    case 'place':
      bounded(lengthOf(input, LIMITS.slotId), LIMITS.slotId, problems, 'character');
      if (!input.slice(0, -1).includes('*')) return input;
      return note(wording.wrongForm(wording.FORMS.place, input), 'invalid_format', problems);
    case 'address': {
      bounded(lengthOf(input, rule), rule, problems, 'character');
      if (rule.schemes.includes(schemeOf(input) ?? 'https')) return input;
      const schemes = rule.schemes.map((scheme) => `${scheme}:`).join(' or ');
      return note(`expected a URL with ${schemes}`, 'custom', problems);
    }
  }
}

/** Trims and collapses white space: the form in which a search term is measured, used and returned. */
export function normalizeTerm(q: string): string {
  return q.trim().replace(/\s+/gu, ' ');
}

/** The number of code points of a string. It counts them only if the result can make a difference. */
function lengthOf(text: string, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds): number {
  return text.length >= 2 * min && text.length <= max ? text.length : [...text].length;
}

/** The number of bytes of a string in UTF-8. Each half of a surrogate pair counts as two. */
const bytesOf = (text: string): number =>
  text.replace(/[\u0800-\ud7ff\ue000-\uffff]/g, '...').replace(/[^\0-\x7f]/g, '..').length;

/** Compares a number, or the length of a value in some unit, with its bounds. */
export function bounded(
  value: number,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Bounds,
  problems: Problem[],
  unit?: string,
): number {
  if (value < min) note(wording.tooSmall(min, unit), 'too_small', problems);
  if (value > max) note(wording.tooBig(max, unit), 'too_big', problems);
  return value;
}
