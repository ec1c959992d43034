import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedCompliance, SeenRequest } from '../servers/scripted-compliance.ts';
import { HONEST_EVERY_MS } from './hostile-limits.ts';
import { type Merchant, pathOf, signedHeaders } from './merchant.ts';
import { honestId, standardOrder } from './order-bodies.ts';
import { type Percentiles, percentiles } from './percentiles.ts';
import type { Meaning } from './shot.ts';

export type HonestReport = {
  /** From the webhook to the record at the compliance service; an order that is not recorded counts with the time since it was sent. */
  recorded: Percentiles;
  unrecorded: number;
  /** Webhooks that were not answered 200 in the end. */
  refused: number;
  meant: Meaning[];
  /** Whose sender does not know whether they were taken. */
  unanswered: Meaning[];
};

/** A merchant of whom nobody has heard: one paid order at a time. */
export class HonestMerchant {
  readonly #merchant: Merchant;
  readonly #compliance: ScriptedCompliance;
  readonly #resends: number;
  readonly #sentAt = new Map<string, number>();
  readonly #meant: Meaning[] = [];
  readonly #unanswered: Meaning[] = [];
  #number = 0;
  #steady: Promise<void> | null = null;
  #ended = false;

  /** `resends`: how often it sends again what could not be kept in time. */
  constructor(merchant: Merchant, compliance: ScriptedCompliance, resends: number) {
    this.#merchant = merchant;
    this.#compliance = compliance;
    this.#resends = resends;
  }

  /** Sends one order; its id. */
  async send(url: string): Promise<string> {
    const order = standardOrder(honestId(this.#number++));
    const body = Buffer.from(JSON.stringify(order.body));
    const headers = signedHeaders(this.#merchant, { topic: '', body, id: `msg_${order.id}` });
    this.#sentAt.set(order.id, Date.now());
    const post = () =>
      fetch(`${url}${pathOf(this.#merchant)}`, { method: 'POST', body, headers }).then(
        (response) => response.status,
        () => 0,
      );
    let status = await post();
    for (let left = this.#resends; status === 503 && left > 0; left -= 1) status = await post();
    (status === 200 ? this.#meant : this.#unanswered).push({ kind: 'order', id: order.id, total: order.total, merchant: 'honest' });
    return order.id;
  }

  /** Sends orders at its pace, whether or not earlier ones were answered. */
  begin(url: string): void {
    this.#sentAt.clear();
    this.#steady = (async () => {
      const sent: Promise<string>[] = [];
      while (!this.#ended) {
        sent.push(this.send(url));
        await sleep(HONEST_EVERY_MS);
      }
      await Promise.all(sent);
    })();
  }

  /** Sends no more. What was sent is judged when it had `graceMs` to be recorded. */
  async end(graceMs: number): Promise<HonestReport> {
    this.#ended = true;
    await this.#steady;
    const deadline = Date.now() + graceMs;
    while (Date.now() < deadline && this.#waiting().length > 0) await sleep(50);
    const recordedAt = this.#recordedAt();
    const now = Date.now();
    const took = [...this.#sentAt].map(([id, at]) => (recordedAt.get(id) ?? now) - at);
    return {
      recorded: percentiles(took),
      unrecorded: this.#waiting().length,
      refused: this.#unanswered.length,
      meant: this.#meant,
      unanswered: this.#unanswered,
    };
  }

  isRecorded(id: string): boolean {
    return this.#recordedAt().has(id);
  }

  #waiting(): string[] {
    const recordedAt = this.#recordedAt();
    return [...this.#sentAt.keys()].filter((id) => !recordedAt.has(id));
  }

  #recordedAt(): Map<string, number> {
    const creates = this.#compliance.requests('POST').filter(({ body }) => body.includes(this.#merchant.shopId));
    return new Map(creates.toReversed().map((seen) => [internalId(seen), seen.at]));
  }
}

function internalId({ body }: SeenRequest): string {
  return /"internalId":"([^"]+)"/.exec(body)?.[1] ?? '';
}
