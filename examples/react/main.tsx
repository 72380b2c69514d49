import { AdSlot } from '@broadsheet/ad-widget/react';
import { createRoot } from 'react-dom/client';
import { blog } from './blog.ts';
import { NewestPosts } from './newest-posts.tsx';

const main = document.querySelector('main');
if (main) {
  createRoot(main).render(
    <>
      <NewestPosts blog={blog} />
      <AdSlot name="top" format="BANNER">
        <a href="/newsletter">Read our newsletter</a>
      </AdSlot>
    </>,
  );
}
