import { lessUnnamed, type MoneyByRate, plus, totalOf } from './money-by-rate.ts';

/** The truth about one order's money, by VAT rate: what was paid and is still here. */
export class KeptMoney {
  #kept: MoneyByRate = new Map();
  #unpaid: MoneyByRate = new Map();
  /** Of pieces that were taken off after they were paid, and not given back yet. */
  #owed: MoneyByRate = new Map();
  #unnamed = 0n;

  get owed(): bigint {
    return totalOf(this.#owed);
  }

  /** Given back without a piece. */
  get unnamed(): bigint {
    return this.#unnamed;
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

  giveUnnamed(cents: bigint): void {
    this.#unnamed += cents;
  }

  /** How much of these cents went back already, without a piece: nobody gets back more than was paid. `left`: what is kept besides. */
  givenBefore(cents: bigint, left: bigint): bigint {
    const over = this.#unnamed - left;
    return over <= 0n ? 0n : over < cents ? over : cents;
  }

  /** null: nobody can tell of which rate. */
  byRate(): MoneyByRate | null {
    return lessUnnamed(this.#kept, this.#unnamed);
  }
}
