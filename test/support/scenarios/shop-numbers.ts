import { addMonths } from '../../../src/service/law/calendar.ts';

/** All that a scenario may speak of. */
const MONTHS = Array.from({ length: 48 }, (_, i) => addMonths('2025-01', i));

/** The agency's number of a shop in each month: a correction replaces the wrong one wherever it is. */
export class ShopNumbers {
  readonly #numbers: Map<string, string>;

  constructor(first: string) {
    this.#numbers = new Map(MONTHS.map((month) => [month, first]));
  }

  of(month: string): string {
    return this.#numbers.get(month) ?? '';
  }

  change(shopNumber: string, from: string | null): void {
    const wrong = this.of(MONTHS.at(-1) ?? '');
    for (const [month, number] of this.#numbers) if (from === null ? number === wrong : month >= from) this.#numbers.set(month, shopNumber);
  }
}
