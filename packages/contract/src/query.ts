import { REQUESTS } from './requests.ts';
import { schemaOf } from './schema-of.ts';

/** Query of `GET /public/posts` (api.md 4.1). */
export const PostsQuery = schemaOf(REQUESTS['posts.list'].query);

/** Query of the posts of a category or a tag (api.md 4.2, 4.3). */
export const PageQuery = schemaOf(REQUESTS['tags.posts'].query);

/** Query of `GET /public/search` (api.md 4.4). */
export const SearchQuery = schemaOf(REQUESTS.search.query);
