/** The states a post can be in; public answers only ever carry `PUBLISHED` (api.md 3). */
export const POST_STATUSES = ['PUBLISHED', 'DRAFT', 'SCHEDULED'] as const;
