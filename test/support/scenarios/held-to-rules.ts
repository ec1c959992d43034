import type { FileSaid, Filing, OfMonth, Side, Sold } from './scenario-side.ts';

/** A side that is held to the rules as it goes: throws where numbers or versions are not what the rules say. */
export class HeldToRules implements Side {
  readonly #side: Side;
  readonly #rules: Side;

  constructor(side: Side, rules: Side) {
    this.#side = side;
    this.#rules = rules;
  }

  clock(to: Date): void {
    this.#side.clock(to);
    this.#rules.clock(to);
  }

  async create(order: Sold): Promise<string> {
    const [document, should] = [await this.#side.create(order), await this.#rules.create(order)];
    if (document !== should) throw new Error(`${order.id} got ${document}, by the rules ${should}`);
    return document;
  }

  async remove(id: string): Promise<void> {
    await this.#side.remove(id);
    await this.#rules.remove(id);
  }

  async deliver(id: string, at: string): Promise<void> {
    await this.#side.deliver(id, at);
    await this.#rules.deliver(id, at);
  }

  async setting(shop: number, changes: Record<string, unknown>): Promise<void> {
    await this.#side.setting(shop, changes);
    await this.#rules.setting(shop, changes);
  }

  async renumber(...change: Parameters<Side['renumber']>): Promise<void> {
    await this.#side.renumber(...change);
    await this.#rules.renumber(...change);
  }

  async settle(of: OfMonth): Promise<FileSaid['returns']> {
    const [returns, should] = [await this.#side.settle(of), await this.#rules.settle(of)];
    const unlike = differenceOf({ shopNumber: '', orders: [], returns }, { shopNumber: '', orders: [], returns: should });
    if (unlike !== null) throw new Error(`shop ${of.shop}, ${of.month} without orders: ${unlike}`);
    return returns;
  }

  async missing(of: OfMonth, orders: number): Promise<void> {
    await this.#side.missing(of, orders);
    await this.#rules.missing(of, orders);
  }

  async generate(of: OfMonth): Promise<number | null> {
    const [version, should] = [await this.#side.generate(of), await this.#rules.generate(of)];
    if (version !== should) throw new Error(`shop ${of.shop} has version ${version} of ${of.month}, by the rules ${should}`);
    if (version === null) return null;
    const unlike = differenceOf(await this.#side.said({ ...of, version }), await this.#rules.said({ ...of, version }));
    if (unlike !== null) throw new Error(`shop ${of.shop}, version ${version} of ${of.month}: ${unlike}`);
    return version;
  }

  /** Whether a change counts that is taken back is the service's to say; what the rules refuse it may not take. */
  async file(filing: Filing): Promise<boolean> {
    const isTaken = await this.#side.file(filing);
    if (isTaken && !(await this.#rules.file(filing)))
      throw new Error(`version ${filing.version} of ${filing.month} was taken, by the rules it lacks something`);
    return isTaken;
  }

  async reject(of: OfMonth): Promise<boolean> {
    const isTaken = await this.#side.reject(of);
    if (isTaken) await this.#rules.reject(of);
    return isTaken;
  }

  said(of: OfMonth & { version: number }): Promise<FileSaid> {
    return this.#side.said(of);
  }

  numbers(): Promise<ReadonlyMap<string, string>> {
    return this.#side.numbers();
  }
}

/** Null: both say the same, amounts that were converted to a cent each. Which of two orders of one number bears its document's beside it is not compared. */
function differenceOf(said: FileSaid, should: FileSaid): string | null {
  if (said.shopNumber !== should.shopNumber) return `it bears ${said.shopNumber}, by the rules ${should.shopNumber}`;
  const [is, rule] = [rowsOf(said), rowsOf(should)];
  for (const row of new Set([...is.keys(), ...rule.keys()])) {
    const [here, there] = [is.get(row), rule.get(row)];
    if (here?.rows !== there?.rows || Math.abs((here?.cents ?? 0) - (there?.cents ?? 0)) > (here?.rows ?? 0))
      return `${row}: ${here?.cents ?? 'nothing'}, by the rules ${there?.cents ?? 'nothing'}`;
  }
  return null;
}

function rowsOf({ orders, returns }: FileSaid): Map<string, { rows: number; cents: number }> {
  const all = new Map<string, { rows: number; cents: number }>();
  const add = (row: string, cents: number) => {
    const before = all.get(row) ?? { rows: 0, cents: 0 };
    all.set(row, { rows: before.rows + 1, cents: before.cents + cents });
  };
  for (const { document, cents, vat } of orders) {
    add(`sale ${document}`, cents);
    add(`VAT of ${document}`, vat);
  }
  for (const { number, cents } of returns) add(`return of ${number.split(' / ')[0]}`, cents);
  return all;
}
