import { formatMoney } from '../../../contract/money.ts';
import type { AuditSums } from '../audit-file.ts';
import { hundredths } from './hundredths.ts';

type Counted = { net: string | null; vat: string | null; total: string | null };
type Returned = { number: string | null; amount: string | null };

/** Adds up a file row by row. `returns` counts orders, not rows: an order may have been returned in parts. A missing amount counts as zero. */
export class AuditTally {
  readonly #returned = new Set<string>();
  #orders = 0;
  #net = 0n;
  #vat = 0n;
  #total = 0n;
  #amount = 0n;

  order({ net, vat, total }: Counted): void {
    this.#orders += 1;
    this.#net += hundredths(net) ?? 0n;
    this.#vat += hundredths(vat) ?? 0n;
    this.#total += hundredths(total) ?? 0n;
  }

  return({ number, amount }: Returned): void {
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
