import { readFileSync } from 'node:fs';
import type { AdFormat } from '@broadsheet/contract';
import { parse } from 'yaml';
import { CONTENT } from './site-files.ts';

/** An advertisement of the sample magazine. */
export interface Sponsor {
  readonly slug: string;
  readonly format: AdFormat;
  readonly title: string;
  readonly content: string;
  readonly linkText: string;
  /** The name of its picture in `art`. */
  readonly picture: string;
  readonly priority?: number;
  readonly active?: boolean;
  readonly campaign?: string;
  /** Days from now until it starts. */
  readonly startsInDays?: number;
}

/** The advertisements of the sample magazine, in the order of their ids. */
export const SPONSORS: readonly Sponsor[] = parse(readFileSync(new URL('sponsors.yaml', CONTENT), 'utf8'));
