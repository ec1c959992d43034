import type { FileSaid, Filing, OfMonth, Side, Sold } from './walk-side.ts';

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

/** Null: both say the same, amounts that were converted to a cent. */
function differenceOf(said: FileSaid, should: FileSaid): string | null {
  const rows = (of: FileSaid) =>
    new Map([
      ...of.orders.map(({ number, document, cents }): [string, number] => [`sale ${document} as ${number}`, cents]),
      ...of.returns.map(({ number, cents }): [string, number] => [`return of ${number}`, cents]),
    ]);
  const [is, rule] = [rows(said), rows(should)];
  for (const row of new Set([...is.keys(), ...rule.keys()])) {
    const [here, there] = [is.get(row), rule.get(row)];
    if (here === undefined || there === undefined || Math.abs(here - there) > 1) return `${row} is ${here}, by the rules ${there}`;
  }
  return null;
}
