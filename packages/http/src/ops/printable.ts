/**
 * Text from outside, fit for a line of a log or a terminal: nothing but printable ASCII stays as it is, so that no
 * line can be forged, no terminal steered and no direction of writing turned.
 */
export function printable(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
  return cut.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
