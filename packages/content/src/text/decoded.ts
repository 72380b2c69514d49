/** A part of a URL, decoded; unchanged if it contains a percent sign that was not encoded. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
