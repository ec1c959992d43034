import { addDays, addMonths, monthOf, sofiaDay } from '../../../src/service/law/calendar.ts';
import { firstMonthInTerm } from '../../../src/service/law/deadlines.ts';
import { declare, declaredAs, declaredIn, fix, isToldIn, later, type Month, owedOf, type Sale, sum, type Version } from './month-sale.ts';
import { centsIn, convertedIn, currencyOf, type Money, vatIn } from './scenario-money.ts';
import type { FileSaid, Filing, OfMonth, Side, Sold } from './scenario-side.ts';
import { ShopNumbers } from './shop-numbers.ts';

/** Cents by which an amount that was converted may be beside the exact one. */
const ROUNDING = 5;

/** The rules of months as the documentation has them, without database and service: the same scenarios must hold against them. */
export class MonthRules implements Side {
  readonly #sales: Sale[] = [];
  readonly #last = new Map<string, Sale>();
  readonly #months = new Map<string, Month>();
  readonly #leavesOut = [false, false];
  readonly #missing = new Map<number, { month: string; orders: number }>();
  readonly #numbers = [new ShopNumbers('RF0000123'), new ShopNumbers('RF0000124')];
  #today = '';
  #firstOpen = '';

  clock(to: Date): void {
    this.#today = sofiaDay(to.toISOString());
    this.#firstOpen = firstMonthInTerm(this.#today);
    for (const shop of [0, 1]) this.#month(shop, monthOf(this.#today));
    for (const [key, month] of this.#months) if (!month.ended && (key.split(' ')[1] ?? '') < this.#firstOpen) this.#end(key, month);
  }

  async create(order: Sold): Promise<string> {
    const before = this.#last.get(order.id);
    const stands = { cents: order.cents, currency: order.currency, lines: order.lines };
    const { ordered, listed } = this.#monthsOf(order, before);
    if (before !== undefined && this.#keepsNumber(before, stands)) {
      if (before.declared === null && this.#isClosed(before.shop, before.month)) before.month = listed;
      Object.assign(before, { stands, postal: order.postal, ordered });
      return before.document;
    }
    const document = String(this.#sales.length + 1).padStart(10, '0');
    const isTwin = this.#sales.some(({ shop, number }) => shop === order.shop && number === order.number);
    const number = isTwin ? `${order.number} / ${document}` : order.number;
    const month = before === undefined ? listed : this.#monthAfter(before, listed);
    const { id, shop, postal } = order;
    const none = { declared: null, entry: null, due: '' };
    const sale: Sale = { ...{ id, shop, number, document, stands, postal, ordered, month }, delivered: before?.delivered ?? '', ...none, told: new Map() };
    this.#sales.push(sale);
    this.#last.set(order.id, sale);
    this.#month(shop, month);
    return document;
  }

  /** What replaces an order of a closed month that no file lists is, like that one, of the month of its delivery. */
  #monthsOf({ shop, at }: Sold, before: Sale | undefined): { ordered: string; listed: string } {
    const ordered = monthOf(sofiaDay(at));
    const delivered = before?.declared === null && this.#isClosed(shop, before.month) ? before.delivered : '';
    return { ordered, listed: this.#monthFor(shop, later(ordered, delivered)) };
  }

  /** The month of a sale of its own that replaces another: that one's month while it is open, or that in which it is set off against the other. */
  #monthAfter({ shop, month, declared, due }: Sale, listed: string): string {
    if (declared === null) return this.#isClosed(shop, month) ? listed : month;
    return due > listed && !this.#isClosed(shop, due) ? due : listed;
  }

  async remove(id: string): Promise<void> {
    const sale = this.#last.get(id);
    if (sale === undefined || sale.stands === null) return;
    const isListed = this.#isClosed(sale.shop, sale.month) && !this.#isLeftOut(sale);
    if (sale.declared === null && isListed) Object.assign(sale, { declared: declaredIn(sale.month, sale.stands), entry: sale.stands });
    const month = monthOf(this.#today);
    if (sale.due < month) fix(sale);
    sale.stands = null;
    if (sale.declared === null) return;
    sale.due = month;
    this.#month(sale.shop, sale.due);
  }

  async deliver(id: string, at: string): Promise<void> {
    const sale = this.#last.get(id);
    if (sale === undefined) return;
    sale.delivered = monthOf(sofiaDay(at));
    if (sale.declared !== null || this.#isClosed(sale.shop, sale.month)) return;
    sale.month = this.#monthFor(sale.shop, later(sale.ordered, sale.delivered));
    this.#month(sale.shop, sale.month);
  }

  async setting(shop: number, { auditNoReceiptOrders }: Record<string, unknown>): Promise<void> {
    if (typeof auditNoReceiptOrders === 'boolean') this.#leavesOut[shop] = !auditNoReceiptOrders;
  }

  async renumber(shop: number, shopNumber: string, from: string | null): Promise<void> {
    this.#numbers[shop]?.change(shopNumber, from);
  }

  async settle({ shop, month }: OfMonth): Promise<FileSaid['returns']> {
    return this.#content(shop, month).returns;
  }

  async missing({ shop, month }: OfMonth, orders: number): Promise<void> {
    this.#missing.set(shop, { month, orders });
  }

  async generate({ shop, month }: OfMonth): Promise<number | null> {
    const one = this.#month(shop, month);
    const content = this.#content(shop, month);
    if (content.orders.length === 0) return null;
    const known = new Map(content.orders.map(({ document, cents }) => [document, cents]));
    for (const sale of this.#sales)
      if (sale.shop === shop && sale.month === month && sale.stands !== null && sale.declared === null) known.set(sale.document, centsIn(month, sale.stands));
    const listed = new Map(content.orders.map(({ document }) => [document, this.#entryOf(document)]));
    return one.versions.push({ ...content, leavesOut: this.#leaves(shop, month), known, listed });
  }

  async file({ shop, month, version, asIs, withoutOutstanding }: Filing): Promise<boolean> {
    const one = this.#month(shop, month);
    const said = one.versions[version - 1];
    if (said === undefined || one.filed !== null || (this.#lacks(shop, month) && !withoutOutstanding)) return false;
    if (!asIs && JSON.stringify(this.#content(shop, month)) !== JSON.stringify({ shopNumber: said.shopNumber, orders: said.orders, returns: said.returns }))
      return false;
    Object.assign(one, { filed: version, leavesOut: said.leavesOut });
    this.#close({ shop, month }, said);
    return true;
  }

  /** What was given back for a sale of the month stays owed; all else is open again, if the term is not over. */
  async reject({ shop, month }: OfMonth): Promise<boolean> {
    this.#month(shop, month).filed = null;
    if (month >= this.#firstOpen) for (const sale of this.#sales) if (sale.shop === shop && sale.due === month) sale.told.delete(month);
    return true;
  }

  async said({ shop, month, version }: OfMonth & { version: number }): Promise<FileSaid> {
    return this.#month(shop, month).versions[version - 1] ?? { shopNumber: '', orders: [], returns: [] };
  }

  async numbers(): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.#last].flatMap(([id, { stands, document }]) => (stands === null ? [] : [[id, document]])));
  }

  /** A number that was answered is never used for more than a file says, nor once a file told that all was given back. */
  #keepsNumber({ shop, document, number, month, declared, due, told }: Sale, stands: Money): boolean {
    const listings = [...this.#months].flatMap(([key, { versions }]) =>
      versions.map(({ known }) => ({ of: key.split(' ')[1] ?? '', cents: known.get(document) })),
    );
    const known = listings.flatMap(({ of, cents }) => (cents === undefined ? [] : [{ of, cents }]));
    const fits = known.every(({ of, cents }) => centsIn(of, stands) <= cents);
    if (declared === null) return known.length === 0 || (!this.#isClosed(shop, month) && fits);
    const left = declared.cents - sum(told);
    return fits && !isToldIn(this.#month(shop, due), number) && !this.#isClosed(shop, due) && centsIn(declared.month, stands) <= left;
  }

  #entryOf(document: string): Money | null {
    const sale = this.#sales.find((one) => one.document === document);
    return sale?.entry ?? sale?.stands ?? null;
  }

  #content(shop: number, month: string): FileSaid {
    const sales = this.#sales.filter((sale) => sale.shop === shop);
    const orders = sales.flatMap((sale) => this.#listing(sale, month));
    return { shopNumber: this.#numbers[shop]?.of(month) ?? '', orders, returns: sales.flatMap((sale) => this.#backIn(sale, month)) };
  }

  #listing(sale: Sale, month: string): FileSaid['orders'] {
    const { number, document, stands, declared } = sale;
    if (declared !== null) return declared.month === month ? [{ number, document, cents: declared.cents, vat: declared.vat }] : [];
    return stands === null || sale.month !== month || this.#isLeftOut(sale)
      ? []
      : [{ number, document, cents: centsIn(month, stands), vat: vatIn(month, stands) }];
  }

  #backIn(sale: Sale, month: string): FileSaid['returns'] {
    const back = sale.told.get(month) ?? (sale.due === month ? owedOf(sale) : 0);
    if (back <= 0 || sale.declared === null) return [];
    const on = monthOf(this.#today) === month ? this.#today : `${month}-28`;
    return [{ number: sale.number, on, cents: convertedIn(month, { cents: back, currency: currencyOf(sale.declared.month) }) }];
  }

  /** The agency has this version: what it lists is declared, whatever came later; what it does not is of the next open month. */
  #close({ shop, month }: OfMonth, said: Version): void {
    const back = new Set(said.returns.map(({ number }) => number));
    for (const sale of this.#sales) {
      if (sale.shop !== shop) continue;
      this.#closeSale(sale, month, said.listed.get(sale.document) ?? null);
      if (!back.has(sale.number)) sale.told.delete(month);
      else if (sale.due === month) fix(sale);
      if (owedOf(sale) > 0 && this.#isClosed(shop, sale.due)) sale.due = this.#monthFor(shop, sale.due);
    }
  }

  #closeSale(sale: Sale, month: string, listed: Money | null): void {
    if (listed !== null) this.#declare(sale, month, listed);
    else if (sale.declared !== null) this.#listLater(sale, month);
    else if (sale.stands !== null && sale.month === month && !this.#isLeftOut(sale)) sale.month = this.#monthFor(sale.shop, month);
  }

  /** Nothing is given back before the file that lists the sale. */
  #listLater(sale: Sale, month: string): void {
    if (sale.declared?.month !== month || sale.entry === null) return;
    const next = this.#monthFor(sale.shop, month);
    declare(sale, declaredIn(next, sale.entry));
    for (const told of sale.told.keys()) if (told < next) sale.told.delete(told);
    if (sale.due < next) sale.due = next;
  }

  #declare(sale: Sale, month: string, entry: Money): void {
    const declared = declaredIn(month, entry);
    const isSame = sale.stands !== null && sale.month === month && centsIn(month, sale.stands) === declared.cents;
    if (isSame && sale.declared === null) return;
    sale.entry = entry;
    const next = this.#monthFor(sale.shop, addMonths(sale.due === '' ? month : sale.due, 1));
    const thought = declaredAs(sale, month) ?? declared.cents;
    if (declare(sale, declared, this.#month(sale.shop, sale.due))) sale.due = next;
    this.#takeOff(sale, thought - declared.cents);
    if (sale.stands !== null && owedOf(sale) < -ROUNDING) this.#sellAnew(sale, sale.stands);
  }

  /** So much less was declared than was thought: returns are less by it, the first ones first, but for those that a filed file tells. */
  #takeOff(sale: Sale, less: number): void {
    let left = less;
    for (const [month, cents] of [...sale.told].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const off = this.#month(sale.shop, month).filed === null ? Math.min(cents, left) : 0;
      if (off <= 0) continue;
      sale.told.set(month, cents - off);
      left -= off;
    }
  }

  /** Filed files gave back so much that what stands is more than the rest of the sale: the rest is given back, too, and it is a sale of its own. */
  #sellAnew(sale: Sale, stands: Money): void {
    const document = String(this.#sales.length + 1).padStart(10, '0');
    const month = this.#monthFor(sale.shop, monthOf(this.#today));
    const none = { declared: null, entry: null, due: '', told: new Map() };
    const own: Sale = { ...sale, number: `${sale.number.split(' / ')[0]} / ${document}`, document, stands, month, ...none };
    this.#sales.push(own);
    this.#last.set(sale.id, own);
    sale.stands = null;
  }

  /** The term of a month is over: its returns are what they are then. */
  #end(key: string, month: Month): void {
    const shop = Number(key.split(' ')[0]);
    const name = key.split(' ')[1] ?? '';
    if (month.filed === null) month.leavesOut = month.versions.at(-1)?.leavesOut ?? this.#leavesOut[shop] ?? false;
    month.ended = true;
    for (const sale of this.#sales) if (sale.shop === shop && sale.due === name) fix(sale);
  }

  #isLeftOut({ shop, month, postal, declared }: Sale): boolean {
    return postal && declared === null && this.#leaves(shop, month);
  }

  #leaves(shop: number, month: string): boolean {
    return this.#isClosed(shop, month) ? this.#month(shop, month).leavesOut : this.#leavesOut[shop] === true;
  }

  /** What was reported of a month that is closed now would be listed in another one. */
  #lacks(shop: number, month: string): boolean {
    const missing = this.#missing.get(shop);
    return missing !== undefined && missing.orders > 0 && this.#monthFor(shop, missing.month) === month;
  }

  #isClosed(shop: number, month: string): boolean {
    return month < this.#firstOpen || this.#month(shop, month).filed !== null;
  }

  #monthFor(shop: number, wanted: string): string {
    const tomorrow = monthOf(addDays(this.#today, 1));
    let month = wanted > tomorrow ? tomorrow : wanted < this.#firstOpen ? this.#firstOpen : wanted;
    while (month < monthOf(this.#today) && this.#isClosed(shop, month)) month = addMonths(month, 1);
    return month;
  }

  #month(shop: number, month: string): Month {
    const key = `${shop} ${month}`;
    const found = this.#months.get(key) ?? { versions: [], filed: null, leavesOut: false, ended: month < this.#firstOpen };
    this.#months.set(key, found);
    return found;
  }
}
