import type { WorldRequest } from '../doors/answer.ts';

/**
 * Why a request may not control the mock: it comes from a web page, or through a host name, that is not of this machine
 * and was not allowed. Without the check of the host any site could get here by DNS rebinding.
 */
export function refusal(request: WorldRequest, allowed: readonly string[]): string | undefined {
  const advice = (origin: string) =>
    `Only loopback origins and hosts control the mock; allow another with --allow-origin ${origin}`;
  const [origin, host] = [request.header('origin'), request.header('host')];
  if (origin !== null && !allowed.includes(origin) && !isLoopback(origin)) {
    return `The origin ${origin} may not control this mock. ${advice(origin === 'null' ? 'ORIGIN' : origin)}.`;
  }
  const hosts = allowed.map((one) => new URL(one).host);
  if (host !== null && !hosts.includes(host) && !isLoopback(`http://${host}`)) {
    return `The mock may not be controlled through the host ${host}. ${advice(`http://${host}`)}.`;
  }
  return undefined;
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
