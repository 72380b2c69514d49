/** Limits on the cost of reading content, because uploads come from people who manage only one of many blogs. */
export const LIMITS = {
  /** Levels of lists and objects in JSON. */
  jsonDepth: 100,
  /** Characters of the front matter of a file. */
  frontMatterLength: 16_384,
  /** Values in front matter, after its aliases are expanded. */
  frontMatterValues: 10_000,
  /** Levels of lists and maps in front matter. */
  frontMatterDepth: 50,
  /** Characters of a Markdown text that are searched for its first sentence. */
  openingLength: 16_384,
  /** Levels of quotations and lists in a Markdown text whose images are imported. */
  markdownDepth: 100,
  /**
   * The characters of a paragraph multiplied by its brackets, if its images are imported. This measures the work of
   * reading it.
   */
  paragraphWork: 100_000_000,
  /** Characters of a paragraph that begins like the definition of a link. */
  definitionLength: 20_000,
  /** Images of one import. */
  images: 10_000,
  /** Problems that a report names; the rest are counted. */
  problems: 1000,
} as const;
