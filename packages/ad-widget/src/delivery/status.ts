/** The HTTP status a rejection carries, whoever made it; 0 when it has none. */
export function statusOf(cause: unknown): number {
  return Number((cause as { status?: unknown } | null | undefined)?.status) || 0;
}

/** Worth repeating: no answer at all, a server in trouble, or too many requests. */
export function isPassing(status: number): boolean {
  return !status || status >= 500 || status === 429;
}
