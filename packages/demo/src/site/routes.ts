import { front } from './pages/front.ts';
import { category, tag } from './pages/label.ts';
import { post } from './pages/post.ts';
import { search } from './pages/search.ts';
import { sponsor } from './pages/sponsor.ts';
import type { Screen } from './view.ts';

/** Paths of the site with what they show; `:name` stands for one segment. */
const ROUTES: Readonly<Record<string, Screen>> = {
  '/': front,
  '/posts/:name': post,
  '/categories/:name': category,
  '/tags/:name': tag,
  '/search': search,
  '/sponsors/:name': sponsor,
};

/** The screen of a path with its open segment, or `undefined`. */
export function findScreen(path: string): { screen: Screen; name: string } | undefined {
  const plain = ROUTES[path];
  if (plain) return { screen: plain, name: '' };
  const [, folder, segment] = /^(\/[a-z]+\/)([^/]+)$/.exec(path) ?? [];
  const screen = ROUTES[`${folder}:name`];
  return screen && segment ? { screen, name: decoded(segment) } : undefined;
}

/** A malformed escape is taken as it stands; the API will not know it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
