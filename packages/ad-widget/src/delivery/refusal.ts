/** The API answered, and it was not what was asked for. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  declare readonly status: number;
  /** Milliseconds it asks to wait before the next request (`Retry-After`). */
  declare readonly retryAfter: number;

  constructor(status: number, message: string, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** What an answer refuses, in the API's words where it has some. */
export function refusalOf({ ok, status, headers }: Response, path: string, body: unknown): Refusal {
  if (ok) return new Refusal(status, `${path} did not answer a result for each slot`);
  const { error } = (body ?? {}) as { error?: { message?: string } };
  const wait = headers.get('Retry-After') ?? '';
  // Seconds, or a date.
  const retryAfter = Number(wait) * 1000 || Date.parse(wait) - Date.now() || 0;
  return new Refusal(status, `${path} answered ${status}: ${error?.message ?? ''}`, retryAfter);
}
