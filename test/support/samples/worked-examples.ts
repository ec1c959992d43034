import { readFileSync } from 'node:fs';

export type LineExample = {
  name: string;
  line: { quantity: string; price: string; discount: string; vatRate: string };
  precision: number;
  totals: { netPrice: string; priceVat: string; subtotalNet: string; subtotal: string; subtotalVat: string };
};
export type OrderExample = { name: string; lines: LineExample[]; totals: { total: string; totalVat: string; netTotal: string; totalDiscount: string } };

const page = readFileSync(new URL('../../../docs/months-and-receipts.md', import.meta.url), 'utf8');

/** The first table of worked examples in docs/months-and-receipts.md. */
export const lineExamples: readonly LineExample[] = rowsUnder('| # | quantity |').map(
  ([n = '', quantity = '', price = '', discount = '', vatRate = '', precision = '', ...rest]) => {
    const [netPrice = '', priceVat = '', subtotalNet = '', subtotal = '', subtotalVat = '', words = ''] = rest;
    return {
      name: `${n}: ${words}`,
      line: { quantity, price, discount, vatRate },
      precision: Number(precision),
      totals: { netPrice, priceVat, subtotalNet, subtotal, subtotalVat },
    };
  },
);

/** The second table: orders that consist of lines of the first. */
export const orderExamples: readonly OrderExample[] = rowsUnder('| lines | total |').map(
  ([numbers = '', total = '', totalVat = '', netTotal = '', totalDiscount = '']) => ({
    name: numbers,
    lines: numbers.split(', ').map((n) => lineExamples[Number(n) - 1] ?? missing(n)),
    totals: { total, totalVat, netTotal, totalDiscount },
  }),
);

function rowsUnder(header: string): string[][] {
  const from = page.indexOf(header);
  if (from < 0) throw new Error(`docs/months-and-receipts.md has no table that begins with ${header}`);
  const table = page.slice(from).split('\n\n')[0]?.trim().split('\n').slice(2) ?? [];
  return table.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function missing(n: string): never {
  throw new Error(`docs/months-and-receipts.md has no line ${n}`);
}
