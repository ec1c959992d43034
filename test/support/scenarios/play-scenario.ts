import { addMonths, monthOf, sofiaDay } from '../../../src/service/law/calendar.ts';
import { ScenarioMonths } from './scenario-months.ts';
import type { ScenarioShops } from './scenario-shops.ts';
import type { Side, Sold } from './scenario-side.ts';
import type { Step } from './scenario-steps.ts';

/** Two weeks before the last months in leva. */
const START = Date.parse('2025-11-17T10:00:00Z');
const SHOPS = [0, 1];
/** Months after the last step, in which all that is open is filed. */
const LAST_MONTHS = 4;

/** Plays the steps of a scenario against one side, then files all that is open; `shops` is told as it goes, so that it can be read after a throw. */
export async function playScenario(side: Side, steps: readonly Step[], shops: ScenarioShops): Promise<ScenarioMonths> {
  const scenario = new Scenario(side, shops);
  for (const step of steps) await scenario.step(step);
  for (let n = 0; n < LAST_MONTHS; n += 1) await scenario.fileAll();
  return scenario.months;
}

class Scenario {
  readonly months: ScenarioMonths;
  readonly #side: Side;
  readonly #shops: ScenarioShops;
  #now = new Date(START);
  #filled = addMonths(monthOf(sofiaDay(this.#now.toISOString())), -1);

  constructor(side: Side, shops: ScenarioShops) {
    this.#side = side;
    this.#shops = shops;
    this.months = new ScenarioMonths(side, { first: addMonths(monthOf(sofiaDay(this.#now.toISOString())), -1), tell: (words) => this.#tell(words) });
  }

  async step(step: Step): Promise<void> {
    await this.#clock(new Date(START + step.minute * 60_000));
    await this.#act(step).catch((cause: unknown) => {
      throw new Error(`${step.act} failed`, { cause });
    });
  }

  /** Every month that has ended is filed, in turn; then the next one comes. */
  async fileAll(): Promise<void> {
    const now = this.#month();
    for (const shop of SHOPS) await this.months.fileAll(shop, now);
    await this.#clock(new Date(`${addMonths(now, 1)}-17T10:00:00Z`));
  }

  #act(step: Step): Promise<void> {
    switch (step.act) {
      case 'sell':
        return this.#sell(step);
      case 'remove':
        return this.#remove(step);
      case 'replace':
        return this.#replace(step);
      case 'again':
        return this.#again(step);
      case 'deliver':
        return this.#deliver(step);
      case 'header':
        return this.#renumber(step);
      case 'setting':
        return this.#set(step);
      default:
        return this.months.act(step, this.#month());
    }
  }

  async #sell(step: Step): Promise<void> {
    const id = this.#shops.nextId();
    const number = step.chance < 12 ? this.#shops.numberFor(step.pick) : `#${id.slice(1)}`;
    const currency = step.part < 15 ? 'BGN' : 'EUR';
    const lines = 1 + (step.minute % 4);
    await this.#create({ id, shop: step.shop, number, cents: step.cents, currency, lines, at: this.#ago(step), postal: step.pick % 10 < 3 });
  }

  async #remove({ pick }: Step): Promise<void> {
    const known = pickOf(this.#shops.ordinary(), pick);
    if (known === undefined) return;
    this.#tell(`delete ${known.sold.id}`);
    await this.#side.remove(known.sold.id);
    this.#shops.removed(known);
  }

  /** An edit: a delete and a create at once; less, the same or more, seldom with another day, payment or currency. */
  async #replace(step: Step): Promise<void> {
    const before = pickOf(this.#shops.ordinary(), step.pick);
    if (before === undefined) return;
    await this.#remove(step);
    const { sold } = before;
    const cents = step.part < 40 ? Math.max(1, Math.floor((sold.cents * step.chance) / 100)) : step.part < 55 ? sold.cents : sold.cents + step.chance + 1;
    const postal = step.chance % 10 === 0 ? !sold.postal : sold.postal;
    const currency = step.cents % 20 === 0 ? 'BGN' : sold.currency;
    const lines = step.minute % 5 === 0 ? 1 + (step.pick % 4) : sold.lines;
    await this.#create({ ...sold, cents, postal, currency, lines, at: step.chance < 80 ? sold.at : this.#ago(step) });
  }

  async #again(step: Step): Promise<void> {
    const sold = pickOf([...this.#shops.gone.values()], step.pick);
    if (sold === undefined) return;
    await this.#create({ ...sold, cents: step.cents, at: step.chance < 70 ? sold.at : this.#ago(step) });
  }

  async #deliver(step: Step): Promise<void> {
    const known = pickOf(this.#shops.ordinary(), step.pick);
    if (known === undefined) return;
    const at = this.#ago(step);
    this.#tell(`deliver ${known.sold.id} on ${at}`);
    await this.#side.deliver(known.sold.id, at);
  }

  async #set({ shop, part, chance, pick }: Step): Promise<void> {
    const way = ['IBAN', 'CARD', 'CASH', 'OTHER'][pick % 4];
    const changes = part < 50 ? { auditNoReceiptOrders: chance < 50 } : part < 75 ? { auditGenerationDay: 1 + (pick % 28) } : { returnPaymentMethod: way };
    this.#tell(`shop ${shop} sets ${JSON.stringify(changes)}`);
    await this.#side.setting(shop, changes);
  }

  /** Mostly a correction; else another number from this month or one before it on. */
  async #renumber({ shop, cents, chance, pick }: Step): Promise<void> {
    const number = `RF000${cents}`.slice(0, 9).padEnd(9, '7');
    const from = chance < 60 ? null : addMonths(this.#month(), -(pick % 4));
    this.#tell(`shop ${shop} has the number ${number}${from === null ? '' : ` from ${from} on`}`);
    await this.#side.renumber(shop, number, from);
  }

  async #create(sold: Sold): Promise<void> {
    const { id, shop, number, cents, currency, lines, at, postal } = sold;
    this.#tell(
      `create ${id} in shop ${shop} as ${number}: ${cents} ${currency}${lines > 1 ? ` in ${lines} lines` : ''}${postal ? ' by post' : ''}, ordered ${at}`,
    );
    const document = await this.#side.create(sold);
    this.#tell(`${id} has ${document}`);
    this.#shops.created(sold, document);
  }

  /** A month without orders has no file, so each shop sells something in each, but for quiet months of the second. */
  async #clock(to: Date): Promise<void> {
    const month = monthOf(sofiaDay(to.toISOString()));
    while (this.#filled < month) {
      this.#filled = addMonths(this.#filled, 1);
      await this.#fill(this.#filled === month ? to : new Date(`${this.#filled}-02T10:00:00Z`));
    }
    this.#now = to;
    this.#side.clock(to);
  }

  async #fill(at: Date): Promise<void> {
    this.#now = at;
    this.#side.clock(at);
    for (const shop of SHOPS) {
      if (shop === 1 && at.getUTCMonth() % 3 === 0) continue;
      const id = this.#shops.nextFiller();
      const sold: Sold = { id, shop, number: id, cents: 100, currency: 'EUR', lines: 1, at: at.toISOString(), postal: false };
      this.#shops.created(sold, await this.#side.create(sold));
    }
  }

  #month(): string {
    return monthOf(sofiaDay(this.#now.toISOString()));
  }

  #ago({ minutesAgo }: Step): string {
    return new Date(this.#now.getTime() - minutesAgo * 60_000).toISOString();
  }

  #tell(words: string): void {
    this.#shops.story.push(`${this.#now.toISOString().slice(0, 16)} ${words}`);
  }
}

function pickOf<T>(all: readonly T[], pick: number): T | undefined {
  return all[pick % Math.max(1, all.length)];
}
