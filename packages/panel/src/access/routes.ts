import type { Hono } from 'hono';
import type { PanelOptions } from '../panel-options.ts';
import type { PanelEnv } from './visit.ts';

/** Adds some pages of the panel, and the forms on them. */
export type Routes = (app: Hono<PanelEnv>, options: PanelOptions) => void;
