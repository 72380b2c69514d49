import { storeCases } from '@broadsheet/conformance/store';
import { openDurableStore } from '../src/durable/open-durable-store.ts';

/** Runs the store case that a request names, over the storage of a separate object. */
export class BlogObject {
  readonly #storage: Parameters<typeof openDurableStore>[0];
  constructor({ storage }: { storage: Parameters<typeof openDurableStore>[0] }) {
    this.#storage = storage;
  }
  async fetch(request: Request): Promise<Response> {
    const one = storeCases[Number(new URL(request.url).pathname.slice(1))];
    try {
      await one?.run(async () => ({ store: await openDurableStore(this.#storage) }));
      return new Response('ok');
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error));
    }
  }
}

interface Objects {
  getByName(name: string): { fetch(request: Request): Promise<Response> };
}

export default {
  fetch: (request: Request, { BLOGS }: { BLOGS: Objects }) => BLOGS.getByName(request.url).fetch(request),
};
