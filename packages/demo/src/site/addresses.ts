/** The address of a page by what it shows. */
export const addressOf = {
  post: (slug: string) => `/posts/${encodeURIComponent(slug)}`,
  category: (id: string) => `/categories/${encodeURIComponent(id)}`,
  tag: (id: string) => `/tags/${encodeURIComponent(id)}`,
  search: (q: string) => `/search?${new URLSearchParams({ q })}`,
};
