import { once } from 'node:events';
import { createServer, globalAgent, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { certificateFor } from '../self-signed.ts';
import { answerShop } from './serve-shop.ts';
import { ShopifyAdmin, type ShopState } from './shopify-admin.ts';
import { type ShopifyApp, shopifyApp } from './shopify-app.ts';

type Certificate = { key: string; cert: string };

/**
 * Shopify as apps and merchants meet it: many shops and apps, over https, on a port of 127.0.0.1. While it runs, `https://NAME.myshopify.com` leads to it
 * from this process (`node:https`, thus got), and from a Chromium that is started with `chromiumArgs`: no code and no pattern knows of it.
 *
 *     await using shopify = await StandInShopify.start();
 *     const app = shopify.app({ clientId: 'one', applicationUrl: `${base}/shopify/install`, redirectUrls: [`${base}/shopify/callback`] });
 *     const shop = await shopify.shop('corner');                       // a `ShopifyAdmin`, with all that can happen in one
 *     shopify.urlOf(shop)                                              // https://corner.myshopify.com
 *     const browser = await startChromium({ args: shopify.chromiumArgs });
 *
 * The pages of a merchant's way are in `oauth-pages.ts`, the token endpoint in `token-endpoint.ts`, what apps may be in `shopify-app.ts`.
 */
export class StandInShopify implements AsyncDisposable {
  readonly apps = new Map<string, ShopifyApp>();
  readonly shops = new Map<string, ShopifyAdmin>();
  readonly #server: Server;
  readonly #undirect: () => void;

  private constructor(server: Server, { cert }: Certificate) {
    this.#server = server;
    this.#undirect = directShops({ port: this.port, ca: cert });
    server.on('request', (request, response) => {
      const shop = this.shops.get((request.headers.host ?? '').toLowerCase().replace(/:\d+$/, ''));
      if (shop === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Sorry, this shop is currently unavailable.</h1>');
      else void answerShop(shop, request, response);
    });
  }

  static async start(): Promise<StandInShopify> {
    const certificate = await certificateFor('*.myshopify.com');
    const server = createServer(certificate).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StandInShopify(server, certificate);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get chromiumArgs(): string[] {
    return [`--host-resolver-rules=MAP *.myshopify.com 127.0.0.1:${this.port}`, '--ignore-certificate-errors'];
  }

  app(given: Parameters<typeof shopifyApp>[0]): ShopifyApp {
    const app = shopifyApp(given);
    this.apps.set(app.clientId, app);
    return app;
  }

  /** Opens a shop of this name. */
  async shop(name: string, state: Partial<ShopState> = {}): Promise<ShopifyAdmin> {
    const shop = await ShopifyAdmin.start({ domain: `${name}.myshopify.com`, id: 7000 + this.shops.size, ...state }, this.apps);
    this.shops.set(shop.state.domain, shop);
    return shop;
  }

  urlOf({ state }: ShopifyAdmin): string {
    return `https://${state.domain}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#undirect();
    for (const shop of this.shops.values()) await shop[Symbol.asyncDispose]();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Has connections of `node:https` to shops lead there, name and certificate checked as ever. */
function directShops({ port, ca }: { port: number; ca: string }): () => void {
  const usual = globalAgent.createConnection;
  globalAgent.createConnection = (options, callback) => {
    const { host } = options;
    if (typeof host !== 'string' || !host.endsWith('.myshopify.com')) return usual.call(globalAgent, options, callback);
    return connect({ host: '127.0.0.1', port, ca, servername: host });
  };
  return () => {
    globalAgent.createConnection = usual;
    globalAgent.destroy();
  };
}
