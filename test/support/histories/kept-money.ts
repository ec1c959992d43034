import { lessUnnamed, type MoneyByRate, plus, totalOf } from './money-by-rate.ts';

/** The truth about one order's money, by VAT rate: what was paid and is still here. */
export class KeptMoney {
  #kept: MoneyByRate = new Map();
  #unpaid: MoneyByRate = new Map();
  /** Of pieces that were taken off after they were paid, and not given back yet. */
  #owed: MoneyByRate = new Map();
  /** Of pieces whose refund is under way: still here, but not to be given back again. */
  #underWay: MoneyByRate = new Map();
  #unnamed = 0n;

  get owed(): bigint {
    return totalOf(this.#owed);
  }

  /** Given back without a piece. */
  get unnamed(): bigint {
    return this.#unnamed;
  }

  /** Neither given back nor on its way; below zero if more was given back than was paid. */
  get left(): bigint {
    return totalOf(this.#kept) - totalOf(this.#underWay) - this.#unnamed;
  }

  /** These cents, or what is left: a shop gives nobody back more than was paid. */
  most(cents: bigint): bigint {
    const left = this.left > 0n ? this.left : 0n;
    return cents < left ? cents : left;
  }

  /** Is so much of a rate still here? */
  has(rate: string, cents: bigint): boolean {
    return (this.#kept.get(rate) ?? 0n) - this.#unnamed >= cents;
  }

  /** More is to be paid; less, if below zero. */
  charge(rate: string, cents: bigint): void {
    this.#unpaid = plus(this.#unpaid, rate, cents);
  }

  pay(): void {
    for (const [rate, cents] of this.#unpaid) this.keep(rate, cents);
    this.#unpaid = new Map();
  }

  /** More of this rate is kept; less, if below zero. */
  keep(rate: string, cents: bigint): void {
    this.#kept = plus(this.#kept, rate, cents);
  }

  owe(rate: string, cents: bigint): void {
    this.#owed = plus(this.#owed, rate, cents);
  }

  repay(): void {
    for (const [rate, cents] of this.#owed) this.keep(rate, -cents);
    this.#owed = new Map();
  }

  /** A refund of this rate is under way. */
  send(rate: string, cents: bigint): void {
    this.#underWay = plus(this.#underWay, rate, cents);
  }

  /** Refunds under way arrive. */
  arrive(): void {
    for (const [rate, cents] of this.#underWay) this.keep(rate, -cents);
    this.#underWay = new Map();
  }

  /** Below zero: so much of it was given back for pieces after all, that came back later. */
  giveUnnamed(cents: bigint): void {
    this.#unnamed += cents;
  }

  /** null: nobody can tell of which rate. */
  byRate(): MoneyByRate | null {
    return lessUnnamed(this.#kept, this.#unnamed);
  }
}
