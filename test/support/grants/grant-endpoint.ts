import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../hostile/dice.ts';

/**
 * What Shopify's documentation leaves open. `repeated`: what a refresh token gives that is sent again before its successor is used: one more successor,
 * one in place of that, or the same. `usedBy`: whether a successor is used by its refresh token alone, or by its access token, too.
 */
export type Reading = { repeated: 'more' | 'newest' | 'same'; usedBy: 'refresh' | 'any' };

export const READINGS: readonly Reading[] = (['more', 'newest', 'same'] as const).flatMap((repeated) =>
  (['refresh', 'any'] as const).map((usedBy) => ({ repeated, usedBy })),
);

/** One pair of tokens, made from `parent`. `dead`: retired, or put out by another one. */
type Pair = { n: number; parent: Pair | null; children: Pair[]; used: boolean; dead: boolean; refreshed: boolean };

/** `twice`: how many pairs had a second successor used. `late`: requests that were kept for longer than the lease. */
export type GrantCounts = { refreshes: number; repeated: number; lost: number; late: number; refused: number; calls: number; twice: number };

/** How it behaves. `lateMs`: longer than the lease of who asks. */
export type Weather = { loses: number; fails: number; late: number; lateMs: number };

export const CALM: Weather = { loses: 0, fails: 0, late: 0, lateMs: 0 };

/** A stand-in for the token endpoint and the Admin API of one shop: it rotates and retires tokens, loses answers, and answers late, as the dice say. */
export class GrantEndpoint implements AsyncDisposable {
  weather: Weather = CALM;
  /** What it answers to every request for tokens; null: what it has for them. */
  refusal: { status: number; body: unknown } | null = null;
  readonly counts: GrantCounts = { refreshes: 0, repeated: 0, lost: 0, late: 0, refused: 0, calls: 0, twice: 0 };
  readonly #pairs: Pair[] = [];
  readonly #dice: Dice;
  readonly #reading: Reading;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(dice: Dice, reading: Reading) {
    this.#dice = dice;
    this.#reading = reading;
    this.#add(null);
  }

  static async start(dice: Dice, reading: Reading): Promise<GrantEndpoint> {
    const endpoint = new GrantEndpoint(dice, reading);
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get url(): string {
    const address: AddressInfo | string | null = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
    const isRefresh = request.url === '/admin/oauth/access_token';
    if (isRefresh) await this.#wait();
    // A refresh that is lost was made all the same.
    const fails = isRefresh && this.#dice.chance(this.weather.fails);
    if (isRefresh && this.refusal !== null) {
      const { status, body } = this.refusal;
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    const { status, body } = fails
      ? { status: this.#dice.pick([429, 500, 503]), body: {} }
      : this.#serve(request, JSON.parse(Buffer.concat(chunks).toString()));
    if (isRefresh && this.#dice.chance(this.weather.loses)) {
      this.counts.lost += 1;
      response.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async #wait(): Promise<void> {
    const isLate = this.#dice.chance(this.weather.late);
    if (isLate) this.counts.late += 1;
    await delay(isLate ? this.weather.lateMs : this.#dice.below(15));
  }

  #serve(request: IncomingMessage, body: Record<string, unknown>): { status: number; body: unknown } {
    if (request.url === '/admin/oauth/access_token') return this.#refresh(body);
    const pair = this.#pairs[numberIn(request.headers['x-shopify-access-token'], 'shpat')];
    if (pair === undefined || pair.dead) return { status: 401, body: { errors: '[API] Invalid API key or access token' } };
    this.counts.calls += 1;
    if (this.#reading.usedBy === 'any') this.#use(pair);
    return {
      status: 200,
      body: { data: { shop: { id: 'gid://shopify/Shop/7', myshopifyDomain: 'corner.myshopify.com' }, currentAppInstallation: { accessScopes: [] } } },
    };
  }

  #refresh(body: Record<string, unknown>): { status: number; body: unknown } {
    const pair = this.#pairs[numberIn(body['refresh_token'], 'shprt')];
    if (body['grant_type'] !== 'refresh_token' || pair === undefined || pair.dead) {
      this.counts.refused += 1;
      return { status: this.#dice.pick([400, 401]), body: { error: this.#dice.pick(['invalid_request', 'invalid_grant']), error_description: 'no' } };
    }
    this.counts.refreshes += 1;
    if (pair.refreshed) this.counts.repeated += 1;
    pair.refreshed = true;
    this.#use(pair);
    const made = this.#successorOf(pair);
    // A token that ends in five minutes is not used any more: most calls make one, and some find one that another process has just made.
    const lives = this.#dice.chance(0.05) ? 301 : 300;
    const tokens = {
      access_token: `shpat_${made.n}`,
      refresh_token: `shprt_${made.n}`,
      scope: 'read_orders',
      expires_in: lives,
      refresh_token_expires_in: 7_776_000,
    };
    return { status: 200, body: tokens };
  }

  #successorOf(pair: Pair): Pair {
    const [known] = pair.children;
    if (this.#reading.repeated === 'same' && known !== undefined) return known;
    if (this.#reading.repeated === 'newest') for (const child of pair.children) child.dead = true;
    return this.#add(pair);
  }

  /** The first use of a successor retires what it was made from. */
  #use(pair: Pair): void {
    if (pair.used || pair.parent === null) return;
    pair.used = true;
    pair.parent.dead = true;
    if (pair.parent.children.filter(({ used }) => used).length === 2) this.counts.twice += 1;
  }

  #add(parent: Pair | null): Pair {
    const pair: Pair = { n: this.#pairs.length, parent, children: [], used: false, dead: false, refreshed: false };
    this.#pairs.push(pair);
    parent?.children.push(pair);
    return pair;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}

function numberIn(token: unknown, kind: string): number {
  const [, n = '-1'] = new RegExp(`^${kind}_(\\d+)$`).exec(String(token)) ?? [];
  return Number(n);
}
