import { after } from '../timer.ts';

/** Milliseconds a policy that blocks has to say so. */
const GRACE = 100;
const PATIENCE = 5000;

/** What came of asking once more. */
export interface Probe {
  readonly answered: boolean;
  /** The page's policy was in the way. */
  readonly violation: SecurityPolicyViolationEvent | undefined;
}

/** Asks for an address once more, to learn whether anything answers, and from the page's policy itself whether it stops it. */
export async function probe(address: string, image = false): Promise<Probe> {
  let violation: SecurityPolicyViolationEvent | undefined;
  const record = (event: SecurityPolicyViolationEvent): void => {
    const { blockedURI, disposition } = event;
    // A policy that only reports stops nothing.
    if (disposition !== 'enforce') return;
    if (address.startsWith(blockedURI) || blockedURI.startsWith(address)) violation = event;
  };
  document.addEventListener('securitypolicyviolation', record);
  const answered = await (image ? load(address) : head(address)).then(
    () => true,
    () => false,
  );
  if (!answered) await new Promise<void>((resolve) => after(GRACE, resolve));
  document.removeEventListener('securitypolicyviolation', record);
  return { answered, violation };
}

/** Any answer will do, also one this page may not read. */
function head(address: string): Promise<unknown> {
  return fetch(address, {
    method: 'HEAD',
    mode: 'no-cors',
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE),
  });
}

function load(address: string): Promise<unknown> {
  const image = new Image();
  image.src = address;
  return image.decode();
}
