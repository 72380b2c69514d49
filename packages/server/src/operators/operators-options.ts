import type { PanelOptions } from '@broadsheet/panel';

/** What the panel, reports and `/manage` need from the server. */
export type OperatorsOptions = Omit<PanelOptions, 'runAlone'>;
