import { isBoolean, isCount, isFields, isPositive, isString, isTimestamp, isUuid } from '@broadsheet/contract/kinds';
import { callHook } from './calls/call-hook.ts';
import { inputError, mustBe } from './check-options.ts';
import { RedirectError, ResponseError } from './errors/error-kinds.ts';
import { messageOf } from './errors/errors.ts';
import { readFailure } from './response/failure.ts';

/**
 * The parts of the first file that code on demand uses. It imports none of them itself: a bundler would move each module
 * that two files share into a third file, which every page would have to load first.
 */
export const core = {
  callHook,
  inputError,
  kinds: { isBoolean, isCount, isFields, isPositive, isString, isTimestamp, isUuid },
  messageOf,
  mustBe,
  readFailure,
  RedirectError,
  ResponseError,
};

export type Core = typeof core;
