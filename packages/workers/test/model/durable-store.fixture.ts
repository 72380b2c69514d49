import { type DurableStore, openDurableStore } from '../../src/durable/open-durable-store.ts';
import { respond, type Request as StepRequest } from './respond.ts';

/** A store of the model over the storage of a separate object. */
export class BlogObject {
  readonly #storage: Parameters<typeof openDurableStore>[0];
  #store: Promise<DurableStore> | undefined;
  constructor({ storage }: { storage: Parameters<typeof openDurableStore>[0] }) {
    this.#storage = storage;
  }
  async fetch(request: Request): Promise<Response> {
    const body = (await request.json()) as StepRequest | 'restart';
    if (body === 'restart') {
      this.#store = undefined;
      return new Response();
    }
    this.#store ??= openDurableStore(this.#storage);
    return Response.json(await respond(await this.#store, body, { writesDuringImports: false }));
  }
}

interface Objects {
  getByName(name: string): { fetch(request: Request): Promise<Response> };
}

export default {
  fetch: (request: Request, { BLOGS }: { BLOGS: Objects }) => BLOGS.getByName(request.url).fetch(request),
};
