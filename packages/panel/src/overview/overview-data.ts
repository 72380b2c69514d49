import type { BlogVisit } from '../door/visit.ts';
import type { Figures, Filter } from '../figures/figures.ts';
import type { Period } from '../figures/period.ts';

/** What the overview shows, read once for the page, for its live figures and for its files. */
export interface Overview {
  readonly visit: BlogVisit;
  readonly period: Period;
  readonly figures: Figures;
  readonly filter: Filter;
}
