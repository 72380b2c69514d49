import { BlogObject as Original } from '../src/objects/blog-object.ts';

export { default } from '../src/index.ts';

/** An object whose alarm a test controls by requests with a key of its blog. */
export class BlogObject extends Original {
  override async fetch(request: Request): Promise<Response> {
    const { storage } = this.ctx;
    switch (request.headers.get('x-test')) {
      case 'alarm':
        return Response.json(await storage.getAlarm());
      case 'ring':
        await this.alarm();
        return Response.json(null);
      case 'age':
        storage.sql.exec('update used_tokens set expires_at = 1');
        storage.sql.exec('update counted_clicks set at = 1');
        return Response.json(null);
      case 'remembered':
        return Response.json(
          ['used_tokens', 'counted_clicks'].map((table) => storage.sql.exec(`select * from ${table}`).toArray().length),
        );
      default:
        return super.fetch(request);
    }
  }
}
