import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../hostile/dice.ts';
import { post } from '../samples/signed-webhooks.ts';
import { orderOf, standardHeaders } from '../worlds/bridge.ts';
import { until } from '../worlds/settled.ts';
import type { Shop } from './three-machines.ts';

/** Of one webhook: when it was answered, in ms since the load began, after how long, and with what. */
export type Answered = { id: string; at: number; ms: number; answer: string };

/** Such a share of all webhooks comes twice, as from shops to which the answer was lost. */
const TWICE = 0.05;

/** Webhooks at an even pace, each of an order of its own, until it is ended; none is repeated because it was refused, as by WooCommerce. */
export class Load implements AsyncDisposable {
  readonly answered: Answered[] = [];
  /** What each order costs. */
  readonly totals = new Map<string, string>();
  readonly #shop: Shop;
  readonly #dice: Dice;
  readonly #began = performance.now();
  readonly #sent: Promise<void>[] = [];
  readonly #ended: Promise<void>;
  #isOver = false;

  constructor(shop: Shop, { rate, dice }: { rate: number; dice: Dice }) {
    this.#shop = shop;
    this.#dice = dice;
    this.#ended = this.#run(1000 / rate);
  }

  /** In ms since it began. */
  get now(): number {
    return performance.now() - this.#began;
  }

  until(ms: number): Promise<boolean> {
    return until(() => this.now >= ms, { what: 'the moment to come', timeoutMs: ms + 10_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#ended;
    await Promise.all(this.#sent);
  }

  async #run(everyMs: number): Promise<void> {
    while (!this.#isOver) {
      const id = String(this.totals.size + 1);
      const total = ((this.#dice.below(20_000) + 100) / 100).toFixed(2);
      this.totals.set(id, total);
      const lines = [{ id: 'a', name: 'Тениска', quantity: 1, amount: total, vatRate: '20' }];
      const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order: orderOf(id, { total, lines }) } });
      const headers = standardHeaders(this.#shop.secret, body);
      for (const _ of this.#dice.chance(TWICE) ? [1, 2] : [1]) {
        this.#sent.push(this.#send(id, body, headers));
        await sleep(Math.max(0, this.#sent.length * everyMs - this.now));
      }
    }
  }

  async #send(id: string, body: string, headers: Record<string, string>): Promise<void> {
    const from = this.now;
    const answer = await post(this.#shop.url, body, headers).then(({ status }) => String(status), String);
    this.answered.push({ id, at: this.now, ms: this.now - from, answer });
  }
}
