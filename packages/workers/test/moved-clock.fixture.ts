import { BlogObject as Original } from '../src/objects/blog-object.ts';

export { default } from '../src/index.ts';

/** In milliseconds, shared by all objects: one that is idle for some seconds is evicted, and created again later. */
let ahead = 0;

/** An object with a clock that a test moves by a request with a key of any blog. */
export class BlogObject extends Original {
  protected override readonly clock = { now: () => Date.now() + ahead };

  override async fetch(request: Request): Promise<Response> {
    const move = request.headers.get('x-test-advance');
    if (move === null) return super.fetch(request);
    ahead += Number(move);
    return new Response(null);
  }
}
