/** What tests need of it. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  type Context = { oidc?: { route?: string }; body: unknown };

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void;
  }
}
