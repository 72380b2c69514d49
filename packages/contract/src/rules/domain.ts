const HOST =
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*(?::(\d{1,5}))?$/u;
const IPV6 = /^\[[\da-fA-F:.]+\](?::(\d{1,5}))?$/;

/** Whether a text is a domain of a blog (docs/decided.md, Domains): a host with an optional port, or `*.host`. */
export function isDomain(text: string): boolean {
  const match = HOST.exec(text) ?? IPV6.exec(text);
  const port = match?.[1];
  return match !== null && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
