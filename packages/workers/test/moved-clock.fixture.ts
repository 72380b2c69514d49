import { BlogObject as Original } from '../src/objects/blog-object.ts';

export { default } from '../src/index.ts';

/** An object whose clock a test moves by a request with a key of its blog. */
export class BlogObject extends Original {
  #ahead = 0;
  protected override readonly clock = { now: () => Date.now() + this.#ahead };

  override async fetch(request: Request): Promise<Response> {
    const move = request.headers.get('x-test-advance');
    if (move === null) return super.fetch(request);
    this.#ahead += Number(move);
    return new Response(null);
  }
}
