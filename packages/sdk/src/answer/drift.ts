import type { EndpointId } from '../endpoint-id.ts';

/**
 * `report`: differences from the contract go to `onDrift`; `strict`: they throw; `off`: no field is compared.
 *
 * @example
 * ```ts
 * const validate: ValidateMode = process.env['CI'] ? 'strict' : 'report';
 * const blog = createClient({ validate });
 * ```
 */
export type ValidateMode = 'report' | 'strict' | 'off';

/**
 * A way in which the server's answers differ from the contract.
 *
 * @example
 * ```ts
 * const onDrift = ({ endpoint, path, expected, received, requestId }: Drift): void =>
 *   console.warn(`${endpoint} ${path}: ${received} instead of ${expected} (${requestId})`);
 * const blog = createClient({ onDrift });
 * ```
 */
export interface Drift {
  readonly endpoint: EndpointId;
  /** Where, with `*` for every index of an array: `*.tags.*.name`. */
  readonly path: string;
  /** Such as `string`, `timestamp`, `non-negative integer` or `string or null`. */
  readonly expected: string;
  /** The type of the value that was received: `undefined`, `null`, `number`, … Never the value itself. */
  readonly received: string;
  readonly requestId: string | undefined;
}
