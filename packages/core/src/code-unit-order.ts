/** Orders text by UTF-16 code unit: negative, zero or positive. */
export function codeUnitOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
