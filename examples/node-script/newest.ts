// The newest posts of a blog, in a terminal.
//
//   BROADSHEET_BASE_URL=https://blog.example BROADSHEET_API_KEY=… node newest.ts 5
import { BroadsheetError, createClient } from '@broadsheet/sdk';

const count = Number(process.argv[2] ?? 5);
const blog = createClient(); // the URL and the key come from the environment

try {
  for (const post of await blog.posts.list().take(count))
    console.log(`${post.publishedAt?.slice(0, 10)}  ${post.title}`);
} catch (error) {
  if (!(error instanceof BroadsheetError)) throw error;
  console.error(`${error.code}: ${error.message}\n${error.docs}`);
  process.exitCode = 1;
}
