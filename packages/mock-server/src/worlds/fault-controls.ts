import {
  type AnswerOptions,
  type Delay,
  type FaultEffect,
  type FaultOptions,
  type FaultRule,
  type FaultTarget,
  NETWORKS,
  TRANSPORT_FAULTS,
  type TransportFault,
} from '../faults/fault.ts';
import { LENSES } from '../lenses/lens.ts';
import { milliseconds } from '../time/clock.ts';
import { ANY, COUNT, check, checkValue, codeOf, type OptionRule, type OptionRules, oneOf, TARGET } from './checks.ts';
import type { World } from './world.ts';
import type { WorldContext } from './world-context.ts';

type FaultControls = Pick<World, 'fail' | 'answer' | 'delay' | 'hold' | 'lens'>;

/** Options of any target. `when` gets the calls of that target, which the compiler cannot infer here. */
type Loose<Options> = Omit<Options, 'when'> & { readonly when?: unknown };
type FailOptions = Loose<FaultOptions> & { readonly code?: string; readonly message?: string };

const CALLS = {
  times: COUNT,
  when: ANY,
  id: ANY,
  nth: COUNT,
  p: ['above 0 and at most 1', (value) => Number(value) > 0 && Number(value) <= 1],
} satisfies Readonly<Record<string, OptionRule>>;
const FAIL: OptionRules<FailOptions> = { ...CALLS, after: ANY, code: ANY, message: ANY };
const ANSWER: OptionRules<Loose<AnswerOptions>> = { ...CALLS, offContract: ANY, status: ANY, headers: ANY };
const LENS = oneOf(...LENSES);

/** The controls that make the responses of a world fail, delay them or change them. */
export function faultControls(current: () => WorldContext): FaultControls {
  const add = (
    by: FaultRule['by'],
    args: [FaultTarget, ...unknown[]],
    effects: readonly FaultEffect[],
    options = {},
  ) => {
    const [target] = args;
    checkValue(by, 'target', target, TARGET);
    const described = args.map((arg) => JSON.stringify(arg)).join(', ');
    const rule: FaultRule = {
      ...{ by, target, effects, options },
      text: `${by}(${described.replaceAll('"', "'")})`,
      ...{ matched: 0, hits: 0, lifted: false },
      lift() {
        rule.lifted = true;
      },
    };
    current().faults.push(rule);
    return rule;
  };
  return {
    fail(target, failure, given: FailOptions = {}) {
      checkValue('fail', 'target', target, TARGET);
      check('fail', given, FAIL);
      const { code, message, ...options } = given;
      if ((code ?? message) !== undefined && typeof failure !== 'number') {
        throw new TypeError('fail: code and message need a status, such as fail(target, 500, { message })');
      }
      const list: readonly unknown[] | undefined = Array.isArray(failure) ? failure : undefined;
      if (list?.length === 0)
        throw new RangeError("fail: the list must not be empty; pass a list such as [503, 'reset', 200]");
      const effects = list
        ? list.map((one) => (one === 200 ? {} : effectOf(target, one)))
        : [{ ...effectOf(target, failure, code), message }];
      const times = list && { times: list.length };
      return add('fail', [target, failure], effects, { ...times, ...options });
    },
    answer(target: FaultTarget, change: unknown, given: Loose<AnswerOptions> = {}) {
      check('answer', given, ANSWER);
      const { offContract, status, headers, ...options } = given;
      if ((status ?? headers) && !offContract)
        throw new TypeError('answer: status and headers require offContract: true');
      return add('answer', [target], [{ answer: { change, offContract, status, headers } }], options);
    },
    delay: (target, delay) => add('delay', [target, delay], [{ latency: latencyOf(delay) }]),
    hold(target, options = {}) {
      checkValue('hold', 'target', target, TARGET);
      check('hold', options, { times: COUNT });
      return current().gates.hold(target, options.times);
    },
    lens(lens, target = '*') {
      checkValue('lens', 'target', target, TARGET);
      if (lens !== undefined) checkValue('lens', 'lens', lens, LENS);
      if (lens) current().lenses.set(target, lens);
      else current().lenses.delete(target);
    },
  };
}

function effectOf(target: FaultTarget, failure: unknown, code?: string): FaultEffect {
  if (typeof failure === 'number') return { code: codeOf(target, failure, code) };
  checkValue('fail', 'failure', failure, FAILURE);
  return { transport: failure as TransportFault };
}

const FAILURE = oneOf('a status of the contract', ...TRANSPORT_FAULTS);

/** @throws RangeError for an invalid duration */
function latencyOf(delay: Delay): NonNullable<FaultEffect['latency']> {
  const isNetwork = (name: unknown): name is keyof typeof NETWORKS => Object.hasOwn(NETWORKS, String(name));
  const [from, to = from] = isNetwork(delay) ? NETWORKS[delay] : [delay].flat();
  return [milliseconds(from), milliseconds(to)];
}
