import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../hostile/dice.ts';

/** A webhook on its way: `orderId` null, if it names none. `post` sends it; the answer's status, null if there was none. */
export type Delivered = { orderId: string | null; post(): Promise<number | null> };

export type Fates = { lost: number; swallowed: number; late: number; doubled: number; sent: number };

/** Shares of webhooks; the rest arrives as it should. swallowed: the store takes a redirect's answer for a delivery. */
const SHARES = { lost: 0.15, swallowed: 0.06, late: 0.12, doubled: 0.1 };
const LATEST_MS = 8_000;

/** The network between a store and orderbridge: webhooks are lost, swallowed, late (and so overtaken) and doubled, as the dice say. */
export class FlakyNetwork {
  readonly fates: Fates = { lost: 0, swallowed: 0, late: 0, doubled: 0, sent: 0 };
  /** Orders of which one webhook at least was answered 2xx. */
  readonly reached = new Set<string>();
  readonly #dice: Dice;
  readonly #late = new Set<Promise<void>>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** What the store sees of it. */
  async deliver(webhook: Delivered): Promise<number | null> {
    const fate = this.#draw();
    this.fates[fate] += 1;
    if (fate === 'lost') return null;
    if (fate === 'swallowed') return 302;
    if (fate === 'late') {
      const late = this.#sendLate(webhook, 1_000 + this.#dice.below(LATEST_MS - 1_000)).finally(() => this.#late.delete(late));
      this.#late.add(late);
      return 200;
    }
    if (fate === 'doubled') await this.#send(webhook);
    return this.#send(webhook);
  }

  /** When nothing is on its way any more. */
  async isStill(): Promise<void> {
    await Promise.all(this.#late);
  }

  #draw(): keyof Fates {
    let throws = this.#dice.next();
    for (const fate of ['lost', 'swallowed', 'late', 'doubled'] as const) {
      if (throws < SHARES[fate]) return fate;
      throws -= SHARES[fate];
    }
    return 'sent';
  }

  async #sendLate(webhook: Delivered, afterMs: number): Promise<void> {
    await sleep(afterMs);
    await this.#send(webhook);
  }

  async #send({ orderId, post }: Delivered): Promise<number | null> {
    const status = await post();
    if (orderId !== null && status !== null && status < 300) this.reached.add(orderId);
    return status;
  }
}
