/** Every runtime has the URL parser, but it is not part of the ECMAScript library, the only one this package uses. */
declare const URL: { canParse(url: string): boolean };

const HOST =
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*(?::(\d{1,5}))?$/u;
const IPV6 = /^\[[\da-fA-F:.]+\](?::(\d{1,5}))?$/;

/** Whether a text is a domain of a blog (docs/decided.md, Domains): a host with an optional port, or `*.host`. */
export function isDomain(text: string): boolean {
  const match = HOST.exec(text) ?? IPV6.exec(text);
  const port = match?.[1];
  if (!match || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return false;
  // A host that ends in a number must be an IPv4 address, which has no hosts below it: https://url.spec.whatwg.org/#host-parsing
  return URL.canParse(`http://${text.replace(/^\*/, 'any')}`);
}
