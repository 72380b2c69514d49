/**
 * Prints an error of the test, such as one in a function of `world.answer`: the caller only sees that the connection
 * broke. Connections that break on purpose are not reported.
 */
export function reportError(request: string, error: unknown): void {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (name !== 'AbortError' && cause?.code !== 'ECONNRESET') console.error(`mock: ${request} failed:`, error);
}
