/**
 * How the page's policy has to change to let `origin` pass. A directive that is absent is written with the sources of
 * `default-src`: it takes that one's place, and what the page itself asks for must not be lost.
 */
export function widenPolicy(
  { originalPolicy, effectiveDirective }: SecurityPolicyViolationEvent,
  origin: string,
): string {
  const directives = originalPolicy.split(';').map((directive) => directive.trim());
  const find = (name: string): string | undefined => directives.find((directive) => directive.split(/\s/)[0] === name);
  const present = find(effectiveDirective);
  const [, ...sources] = (present ?? find('default-src') ?? '').split(/\s+/);
  // Of the quoted words only 'self' says where something may come from; the others are about scripts, or 'none'.
  const retained = sources.filter((source) => source === "'self'" || !source.startsWith("'"));
  const widened = [effectiveDirective, ...retained, origin].join(' ');
  const change = present ? `change its "${present}" to` : 'add';
  return `the page's Content-Security-Policy blocks ${origin}; ${change} "${widened}"`;
}
