/** Numbers a blog has for itself: below 2^53 that leaves room for half a million blogs. */
export const SPAN = 2 ** 34;

/** The numbers that belong to a blog, from its own small one: of its words and of its rows in an index of search. */
export const spanOf = (blogNumber: number): { readonly first: number; readonly last: number } => ({
  first: blogNumber * SPAN,
  last: blogNumber * SPAN + SPAN - 1,
});
