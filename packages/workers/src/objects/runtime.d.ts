// What we use of the runtime's own module; its types cannot stand beside those of Node.
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Context, Env> {
    protected readonly ctx: Context;
    protected readonly env: Env;
    constructor(ctx: Context, env: Env);
  }
}
