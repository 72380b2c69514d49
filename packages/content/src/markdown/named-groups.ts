import { idOfName, nameKey } from '../named-id.ts';

/** Categories or tags that are known by name: one of each name, whatever its case. */
export class NamedGroups {
  readonly #groups = new Map<string, { id: string; name: string }>();

  /** The ids of names, each once; a name met for the first time becomes a group, spelt as it is here. */
  idsOf(names: readonly string[]): string[] {
    const ids = names.map((name) => {
      const key = nameKey(name);
      const group = this.#groups.get(key) ?? { id: idOfName(name), name };
      this.#groups.set(key, group);
      return group.id;
    });
    return [...new Set(ids)];
  }

  all(): { id: string; name: string }[] {
    return [...this.#groups.values()];
  }
}
