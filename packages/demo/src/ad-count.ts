import type { AdFormat } from '@broadsheet/contract';

/** The figures of one ad since the demo was started. */
export interface AdCount {
  readonly id: string;
  readonly format: AdFormat;
  readonly title: string;
  /** `false` for an ad that cannot be delivered now. */
  readonly active: boolean;
  readonly impressions: number;
  readonly clicks: number;
}
