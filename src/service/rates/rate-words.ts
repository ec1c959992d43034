import type { ExchangeRate } from './exchange-rate.ts';

/** A rate as the bank writes it: "1 EUR = 1.1722 USD", until 2025 "10 BRL = 3.13449 BGN". */
export function rateWords({ base, currency, multiply, divide }: Omit<ExchangeRate, 'source' | 'publishedOn'>): string {
  return base === 'EUR' ? `${multiply} EUR = ${divide} ${currency}` : `${divide} ${currency} = ${multiply} BGN`;
}
