import { formatMoney, parseMoney } from '../../../contract/money.ts';
import type { AuditSums } from '../audit-file.ts';

/** Adds up a file row by row. `returns` counts orders, not rows: an order may have been returned in parts. A missing amount counts as zero. */
export class AuditTally {
  readonly #returned = new Set<string>();
  #orders = 0;
  #net = 0n;
  #vat = 0n;
  #total = 0n;
  #amount = 0n;

  order({ net, vat, total }: { net: string | null; vat: string | null; total: string | null }): void {
    this.#orders += 1;
    this.#net += hundredths(net) ?? 0n;
    this.#vat += hundredths(vat) ?? 0n;
    this.#total += hundredths(total) ?? 0n;
  }

  return({ number, amount }: { number: string | null; amount: string | null }): void {
    this.#returned.add(number ?? '');
    this.#amount += hundredths(amount) ?? 0n;
  }

  sums(): AuditSums {
    return {
      orders: this.#orders,
      net: formatMoney(this.#net, 2),
      vat: formatMoney(this.#vat, 2),
      total: formatMoney(this.#total, 2),
      returns: this.#returned.size,
      returned: formatMoney(this.#amount, 2),
    };
  }
}

/** An amount of a file in hundredths; null if it is absent or unreadable. */
export function hundredths(amount: string | null): bigint | null {
  return amount === null ? null : (parseMoney(amount, 2) ?? null);
}

/** 249600n → "24.96", 249650n → "24.965". */
export function tenThousandths(value: bigint): string {
  return formatMoney(value, 4).replace(/0{1,2}$/, '');
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
