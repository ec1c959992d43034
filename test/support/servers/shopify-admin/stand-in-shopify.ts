import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificateFor } from '../self-signed.ts';
import { type Direction, directShops } from './direct-shops.ts';
import { answerShop } from './serve-shop.ts';
import { ShopifyAdmin, type ShopState } from './shopify-admin.ts';
import { type ShopifyApp, shopifyApp } from './shopify-app.ts';

type Certificate = { key: string; cert: string };

/**
 * Shopify as apps and merchants meet it: many shops and apps, over https, on a port of 127.0.0.1. While it runs, `https://NAME.myshopify.com` leads to it
 * from this process (`node:https`, thus got), from another one that has `environment`, and from a Chromium that is started with `chromiumArgs`: no code
 * and no pattern of the product knows of it.
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
  readonly #direction: Direction;
  readonly #undirect: () => void;

  private constructor(server: Server, { cert }: Certificate) {
    this.#server = server;
    this.#direction = { port: this.port, ca: cert };
    this.#undirect = directShops(this.#direction);
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

  /** For a process of Node. */
  get environment(): Record<string, string> {
    const preload = new URL('./direct-shops-preload.ts', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${preload}`, SHOPIFY_STAND_IN: JSON.stringify(this.#direction) };
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

  /** There is no shop and no app. */
  async beginAnew(): Promise<void> {
    for (const shop of this.shops.values()) await shop[Symbol.asyncDispose]();
    this.shops.clear();
    this.apps.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#undirect();
    await this.beginAnew();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
