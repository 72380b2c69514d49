import type { AdFormat } from '@broadsheet/contract';

/** What one ad of the demo earned so far. */
export interface AdCount {
  readonly id: string;
  readonly format: AdFormat;
  readonly title: string;
  /** `false` for an ad that cannot be delivered now. */
  readonly active: boolean;
  readonly impressions: number;
  readonly clicks: number;
}
