import type { FiledFile } from './walked-months.ts';
import type { WalkedShops } from './walked-shops.ts';

/** Leva in a euro. */
const LEVA = 1.95583;

type Row = { month: string; cents: number; words: string };

/** What is wrong with the files that the agency has at last; null: nothing. */
export function wrongFiles(files: readonly FiledFile[], shops: WalkedShops): string | null {
  const listed = new Map<string, { month: string; document: string }>();
  const documents = new Map<string, string>();
  const declared = new Map<string, Row[]>();
  for (const file of files)
    for (const { number, document, cents } of file.orders) {
      const place = `${file.shop} ${number}`;
      const owner = shops.documents.get(document);
      const before = documents.get(document) ?? listed.get(place)?.month;
      if (before !== undefined) return `${number} (${document}) is in the files of ${before} and ${file.month}`;
      if (owner === undefined) return `${number} bears ${document}, which no order got`;
      documents.set(document, file.month);
      listed.set(place, { month: file.month, document });
      rowsOf(declared, owner).push({ month: file.month, cents: euroCents(cents, file.month), words: `${file.month} lists ${document} with ${cents}` });
    }
  for (const file of files)
    for (const { number, cents, on } of file.returns) {
      const sale = listed.get(`${file.shop} ${number}`);
      if (sale === undefined || sale.month > file.month) return `${file.month} gives back ${number}, which no file until then lists`;
      if (!on.startsWith(file.month)) return `${file.month} gives back ${number} on ${on}`;
      const owner = shops.documents.get(sale.document) ?? '';
      rowsOf(declared, owner).push({ month: file.month, cents: -euroCents(cents, file.month), words: `${file.month} gives back ${cents} of ${sale.document}` });
    }
  if (documents.size === 0) return 'no order is in any file';
  return wrongOrder(declared, shops);
}

/** For each order: what stands is what was filed less what was given back. */
function wrongOrder(declared: ReadonlyMap<string, readonly Row[]>, shops: WalkedShops): string | null {
  for (const id of new Set([...declared.keys(), ...shops.standing.keys()])) {
    const rows = declared.get(id) ?? [];
    // The months of the last ones have not ended.
    if (rows.length === 0 && shops.isFiller(id)) continue;
    const sold = shops.standing.get(id)?.sold;
    const stands = sold === undefined ? 0 : sold.currency === 'EUR' ? sold.cents : sold.cents / LEVA;
    const have = rows.reduce((sum, { cents }) => sum + cents, 0);
    const isExact = sold?.currency !== 'BGN' && rows.every(({ month }) => month >= '2026');
    // Each amount that was converted is a cent at most beside the exact one.
    const within = isExact ? 0.001 : 1.001 + rows.length;
    if (Math.abs(have - stands) <= within) continue;
    // Such an order is left out if the shop says so.
    if (sold?.postal === true && Math.abs(have) <= within) continue;
    return `${id} stands with ${stands.toFixed(2)}, declared are ${have.toFixed(2)}: ${rows.map(({ words }) => words).join('; ')}`;
  }
  return null;
}

function euroCents(cents: number, month: string): number {
  return month < '2026' ? cents / LEVA : cents;
}

function rowsOf(all: Map<string, Row[]>, id: string): Row[] {
  const rows = all.get(id) ?? [];
  all.set(id, rows);
  return rows;
}
