/** Loads what most pages never need. */
export const loadOnDemand = () => import('./on-demand.ts');
