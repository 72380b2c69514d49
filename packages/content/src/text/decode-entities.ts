/** A map, because an object would have an entity `&constructor;`. */
const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));
const REPLACEMENT = '\uFFFD';

/** Replaces the entities that people write, by number or by one of the common names. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    const character = String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    return character !== '\0' && character.isWellFormed() ? character : REPLACEMENT;
  });
}
