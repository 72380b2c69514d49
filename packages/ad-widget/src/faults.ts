/**
 * Explains failures on the console. What it has to say is a file of its own, loaded when something fails: a page that
 * works does not carry it.
 */
export function createFaults(baseUrl: string, signal: AbortSignal) {
  const ours = new Set([originOf(baseUrl)]);
  const advice = () => import('./advice.ts');
  const unexplained = (): void => console.warn('broadsheet: a request failed');

  document.addEventListener(
    'securitypolicyviolation',
    (violation) => {
      if (ours.has(originOf(violation.blockedURI))) {
        advice().then(({ adviseOnPolicy }) => adviseOnPolicy(violation), unexplained);
      }
    },
    { signal },
  );
  return {
    /** Something of this address is about to be loaded: if it is blocked, it is ours to explain. */
    expect(address: string | null | undefined): void {
      if (address) ours.add(originOf(address));
    },
    report(cause: unknown): void {
      advice().then(({ adviseOnFailure }) => adviseOnFailure(baseUrl, cause), unexplained);
    },
  };
}

function originOf(address: string): string {
  try {
    return new URL(address, location.href).origin;
  } catch {
    return address;
  }
}
