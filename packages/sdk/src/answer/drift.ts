import type { EndpointId } from '../endpoint-id.ts';
import type { Logger } from '../logger.ts';

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
  /** `string`, `instant`, `integer`, … with `?` when it may be null. */
  readonly expected: string;
  /** The kind of value that came instead: `nothing`, `null`, `number`, … Never the value itself. */
  readonly received: string;
  readonly requestId: string | undefined;
}

/** What becomes of drifts. */
export interface DriftWatch {
  readonly validate: ValidateMode;
  readonly onDrift: ((drift: Drift) => void) | undefined;
  /** The kinds that were reported already. */
  readonly reported: Set<string>;
  readonly logger: Logger | undefined;
  readonly redact: (text: string) => string;
}
