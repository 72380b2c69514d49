// The part of the runtime's module that we use. Its own types conflict with those of Node.
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Context, Env> {
    protected readonly ctx: Context;
    protected readonly env: Env;
    constructor(ctx: Context, env: Env);
  }
}
