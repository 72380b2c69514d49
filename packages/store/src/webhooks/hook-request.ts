/** A request to a webhook. */
export interface HookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Sends a request, and resolves with the status and the beginning of the response. It rejects without a response. */
export type SendRequest = (
  url: string,
  request: HookRequest,
) => Promise<{ readonly status: number; readonly text: string }>;
