import { notFound, type WooAnswer, wooProblem } from './woo-answer.ts';
import { gmt } from './woo-bodies.ts';
import { withFields } from './woo-orders-api.ts';
import type { WooShopFloor } from './woo-shop-floor.ts';

type WooNote = { id: number; date_created_gmt: string; note: string; customer_note: boolean };

type NotesCall = { method: string; query: URLSearchParams; body: unknown };

/** Notes at orders, as `orders/ID/notes` lists and takes them: without a webhook, and while the order's time of change stands still. */
export class WooOrderNotes {
  readonly #of = new Map<number, WooNote[]>();
  readonly #shop: { floor: WooShopFloor; now(): number };
  #lastId = 0;

  constructor(shop: { floor: WooShopFloor; now(): number }) {
    this.#shop = shop;
  }

  /** Those of an order, the oldest first. */
  of(orderId: number): readonly WooNote[] {
    return this.#of.get(orderId) ?? [];
  }

  /** Undefined: the path is none of notes. */
  rest(path: string, { method, query, body }: NotesCall): WooAnswer | undefined {
    const [, id] = /^orders\/(\d+)\/notes$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    if (!this.#shop.floor.orders.has(Number(id))) return notFound('shop_order');
    // All of them, in no pages.
    if (method === 'GET')
      return {
        status: 200,
        body: this.of(Number(id))
          .map((note) => withFields(note, query))
          .toReversed(),
      };
    const { note, customer_note = false } = { note: undefined, ...(body as object) } as { note?: unknown; customer_note?: boolean };
    if (typeof note !== 'string') return wooProblem(400, 'rest_missing_callback_param', 'Missing parameter(s): note');
    this.#lastId += 1;
    const made: WooNote = { id: this.#lastId, date_created_gmt: gmt(this.#shop.now()), note, customer_note };
    this.#of.set(Number(id), [...this.of(Number(id)), made]);
    return { status: 201, body: made };
  }
}
