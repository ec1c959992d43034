import type { FiledFile } from './scenario-months.ts';
import type { ScenarioShops } from './scenario-shops.ts';
import type { Sold } from './scenario-side.ts';

/** Leva in a euro. */
const LEVA = 1.95583;

type Row = { month: string; cents: number; words: string };

/** What is wrong with the files that the agency has at last; null: nothing. */
export function wrongFiles(files: readonly FiledFile[], shops: ScenarioShops): string | null {
  const declared = new Declared(shops);
  for (const file of files) for (const order of file.orders) declared.list(file, order);
  for (const file of files) for (const back of file.returns) declared.giveBack(file, back);
  return declared.wrong ?? wrongStand(declared.rows, shops);
}

class Declared {
  readonly rows = new Map<string, Row[]>();
  /** The first thing that is wrong. */
  wrong: string | null = null;
  readonly #shops: ScenarioShops;
  readonly #listed = new Map<string, { month: string; document: string }>();
  readonly #documents = new Map<string, string>();

  constructor(shops: ScenarioShops) {
    this.#shops = shops;
  }

  list({ shop, month }: FiledFile, { number, document, cents }: FiledFile['orders'][number]): void {
    const before = this.#documents.get(document) ?? this.#listed.get(`${shop} ${number}`)?.month;
    const owner = this.#shops.documents.get(document);
    if (before !== undefined) this.wrong ??= `${number} (${document}) is in the files of ${before} and ${month}`;
    if (owner === undefined) this.wrong ??= `${number} bears ${document}, which no order got`;
    this.#documents.set(document, month);
    this.#listed.set(`${shop} ${number}`, { month, document });
    this.#add(document, { month, cents: euroCents(cents, month), words: `${month} lists ${document} with ${cents}` });
  }

  giveBack({ shop, month }: FiledFile, { number, cents, on }: FiledFile['returns'][number]): void {
    const sale = this.#listed.get(`${shop} ${number}`);
    if (sale === undefined || sale.month > month) this.wrong ??= `${month} gives back ${number}, which no file until then lists`;
    if (!on.startsWith(month)) this.wrong ??= `${month} gives back ${number} on ${on}`;
    if (sale !== undefined) this.#add(sale.document, { month, cents: -euroCents(cents, month), words: `${month} gives back ${cents} of ${sale.document}` });
  }

  #add(document: string, row: Row): void {
    const owner = this.#shops.documents.get(document) ?? '';
    this.rows.set(owner, [...(this.rows.get(owner) ?? []), row]);
  }
}

/** For each order: what stands is what was filed less what was given back. */
function wrongStand(declared: ReadonlyMap<string, readonly Row[]>, shops: ScenarioShops): string | null {
  for (const id of new Set([...declared.keys(), ...shops.current.keys()])) {
    const rows = declared.get(id) ?? [];
    // The months of the last ones have not ended.
    const wrong = rows.length === 0 && shops.isFiller(id) ? null : wrongOrder(rows, shops.current.get(id)?.sold);
    if (wrong !== null) return `${id} ${wrong}: ${rows.map(({ words }) => words).join('; ')}`;
  }
  return null;
}

function wrongOrder(rows: readonly Row[], sold: Sold | undefined): string | null {
  const stands = sold === undefined ? 0 : sold.currency === 'EUR' ? sold.cents : sold.cents / LEVA;
  const have = rows.reduce((sum, { cents }) => sum + cents, 0);
  const isExact = sold?.currency !== 'BGN' && rows.every(({ month }) => month >= '2026');
  // Each amount that was converted, line by line, is two cents at most beside the exact one.
  const tolerance = isExact ? 0.001 : 1.001 + 2 * rows.length;
  // What is paid by post is left out if the shop says so.
  const isRight = Math.abs(have - stands) <= tolerance || (sold?.postal === true && Math.abs(have) <= tolerance);
  return isRight ? null : `stands with ${stands.toFixed(2)}, declared are ${have.toFixed(2)}`;
}

function euroCents(cents: number, month: string): number {
  return month < '2026' ? cents / LEVA : cents;
}
