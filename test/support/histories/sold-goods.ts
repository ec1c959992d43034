import { type Line, type NewLine, type Part, type Shipping, takePieces, worth } from './shopify-bodies.ts';

/** What an order is of: its lines, with the pieces that are left of each, and its shipping. Cents. */
export class SoldGoods {
  readonly lines: Line[] = [];
  readonly shipping: Shipping;
  #shippingBack = 0n;

  constructor(shipping: Shipping) {
    this.shipping = shipping;
  }

  /** Lines with pieces left. */
  get sold(): { index: number; left: number; cents: bigint }[] {
    return this.lines.flatMap((line, index) => (line.left > 0 ? [{ index, left: line.left, cents: worth(line, line.left) }] : []));
  }

  get shippingLeft(): bigint {
    return this.shipping.cents - this.#shippingBack;
  }

  /** What is left costs, before money given back or kept without a piece. */
  get due(): bigint {
    return this.lines.reduce((sum, line) => sum + worth(line, line.left), this.shippingLeft);
  }

  add(line: NewLine, id: number): void {
    this.lines.push({ ...line, id, name: `Piece ${this.lines.length + 1}`, left: line.quantity });
  }

  /** Throws if the pieces are not there. */
  take(index: number, quantity: number): Part {
    return takePieces(this.lines[index], quantity);
  }

  giveBackShipping(cents: bigint): void {
    this.#shippingBack += cents;
  }
}
