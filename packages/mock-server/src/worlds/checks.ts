import { ENDPOINT_IDS, ERRORS, type ErrorCode } from '@broadsheet/contract';
import { FAILURES } from '@broadsheet/contract/failures';
import { visitorAddress } from '@broadsheet/core';
import type { FaultTarget } from '../faults/fault.ts';

// TypeScript checks most of this at compile time; tests in JavaScript and the control plane need it at run time.

/** What a value must be, as text, and a check. */
export type OptionRule = readonly [must: string, test: (value: unknown) => boolean];

/** The rule of each option of a method. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: OptionRule };

export const oneOf = (...words: readonly unknown[]): OptionRule => [
  `one of ${words.join(', ')}`,
  (value) => words.includes(value),
];
const isCount = (value: unknown): boolean =>
  value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) > 0);

/** For options that are checked elsewhere. */
export const ANY: OptionRule = ['anything', () => true];
export const COUNT: OptionRule = ['an integer of at least 1', (value) => [value].flat().every(isCount)];
export const TARGET = oneOf('*', ...ENDPOINT_IDS);
export const PACE = oneOf('virtual', 'real');
export const IP: OptionRule = ['an IP address', (value) => visitorAddress(String(value)) !== undefined];
export const ORIGIN: OptionRule = [
  'an origin such as https://site.example',
  (value) => URL.canParse(String(value)) && new URL(String(value)).origin === value,
];

/** Checks one argument of a method. @throws RangeError for an invalid value */
export function checkValue(method: string, name: string, value: unknown, [must, test]: OptionRule): void {
  if (!test(value)) throw new RangeError(`${method}: ${name} must be ${must}; received ${show(value)}`);
}

/**
 * Checks the options of a method.
 *
 * @throws TypeError for a value that is not an object, or has an unknown option; RangeError for an invalid value
 */
export function check<Options>(method: string, given: Options, rules: OptionRules<Options>): void {
  const names = Object.keys(rules);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${method}: expected an object with ${names.join(', ')}; received ${show(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    const rule = (rules as Readonly<Record<string, OptionRule>>)[name];
    if (!rule) throw new TypeError(`${method}: unknown option "${name}"; expected one of ${names.join(', ')}`);
    if (value !== undefined) checkValue(method, name, value, rule);
  }
}

/** The error code of a status at an endpoint. @throws RangeError for a status or code that the contract rules out */
export function codeOf(target: FaultTarget, status: unknown, wanted?: string): ErrorCode {
  const codes: readonly ErrorCode[] = FAILURES[target === '*' ? 'tags.list' : target];
  const fitting = codes.filter((code) => ERRORS[code].status === status);
  const code = wanted === undefined ? fitting[0] : fitting.find((one) => one === wanted);
  if (code) return code;
  const never = `${target} never responds with ${show(status)}`;
  if (fitting.length > 0) throw new RangeError(`${never} and ${wanted}; its contract has ${fitting.join(', ')}`);
  const statuses = [...new Set(codes.map((one) => ERRORS[one].status))].sort((one, two) => one - two);
  throw new RangeError(`${never}; its contract has ${statuses.join(', ')}`);
}

/** JSON has no NaN. */
const show = (value: unknown): string =>
  String(typeof value === 'number' ? value : (JSON.stringify(value) ?? value)).slice(0, 200);
