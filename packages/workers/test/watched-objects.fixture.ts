import worker from '../src/index.ts';
import type { Environment } from '../src/objects/environment.ts';

export { BlogObject } from '../src/index.ts';

const answered: number[] = [];

/** A Worker that reports in a header the statuses that the objects of blogs returned. */
export default {
  async fetch(request: Request, environment: Environment, context: Parameters<typeof worker.fetch>[2]) {
    const BLOGS: Environment['BLOGS'] = {
      getByName(name) {
        const object = environment.BLOGS.getByName(name);
        if (!name.startsWith('blog ') || new URL(request.url).pathname.startsWith('/manage')) return object;
        return Object.assign(Object.create(null), {
          async fetch(one: Request) {
            const answer = await object.fetch(one);
            answered.push(answer.status);
            return answer;
          },
        });
      },
    };
    const answer = await worker.fetch(request, { ...environment, BLOGS }, context);
    const headers = new Headers(answer.headers);
    headers.set('x-test-answered', answered.join(' '));
    return new Response(answer.body, { status: answer.status, headers });
  },
};
