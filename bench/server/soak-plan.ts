/** The plan for the clients of a soak. */
export interface SoakPlan {
  readonly url: string;
  readonly key: string;
  readonly clients: number;
  readonly ms: number;
}

/** The results of the readers. */
export interface SoakResult {
  readonly requests: number;
  /** Responses other than 200, and requests without a response. */
  readonly failures: number;
  /** Median time of a request in milliseconds. */
  readonly median: number;
}
