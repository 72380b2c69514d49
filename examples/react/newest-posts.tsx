import type { Blog, Post } from '@broadsheet/sdk';
import { useEffect, useState } from 'react';

type State = { posts: readonly Post[] } | { failed: string } | undefined;

/** The newest posts, with a message while they load and if they cannot be loaded. */
export function NewestPosts({ blog }: { readonly blog: Blog }) {
  const [state, setState] = useState<State>();

  useEffect(() => {
    let here = true;
    blog.posts
      .list({ limit: 5 })
      .safe()
      .then(({ data, error }) => {
        if (here) setState(error ? { failed: error.code } : { posts: data.items });
      });
    return () => {
      here = false;
    };
  }, [blog]);

  if (!state) return <p role="status">Loading …</p>;
  if ('failed' in state) return <p role="alert">The posts could not be loaded ({state.failed}).</p>;
  return (
    <ul>
      {state.posts.map((post) => (
        <li key={post.id}>{post.title}</li>
      ))}
    </ul>
  );
}
