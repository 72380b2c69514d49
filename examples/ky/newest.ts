// The newest posts of a blog, requested through an instance of ky whose hooks log each request and response.
//
//   BROADSHEET_BASE_URL=https://blog.example BROADSHEET_API_KEY=… node newest.ts
import { createClient } from '@broadsheet/sdk';
import { kyFetch } from '@broadsheet/sdk/ky';
import ky from 'ky';

const instance = ky.create({
  headers: { 'x-site': 'my.blog' },
  hooks: {
    beforeRequest: [({ request }) => console.error(`→ ${request.method} ${new URL(request.url).pathname}`)],
    afterResponse: [({ response }) => console.error(`← ${response.status}`)],
  },
});

const blog = createClient({ fetch: kyFetch(instance) });
for (const post of await blog.posts.list().take(3)) console.log(post.title);
