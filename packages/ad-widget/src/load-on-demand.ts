import { whenLoaded } from './when-loaded.ts';

/** The file with the code that most pages never need. */
export const loadOnDemand = () => import('./on-demand.ts');

export function onDemand(use: (file: Awaited<ReturnType<typeof loadOnDemand>>) => unknown): void {
  whenLoaded(loadOnDemand, use);
}

/** Explains a failure on the console; takes the arguments of `advise`. */
export function explain(address: string, cause?: unknown): void {
  onDemand(({ advise }) => advise(address, cause));
}
