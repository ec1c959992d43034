import { addMonths } from '../../../src/service/law/calendar.ts';
import type { FileSaid, OfMonth, Side } from './scenario-side.ts';
import type { Step } from './scenario-steps.ts';

/** `rejected`: the versions that there were when one was rejected. `settled`: the returns of a month that has no file, and that a person settled. */
type Played = OfMonth & { versions: number; filed: number | null; least: number; rejected: number; settled: FileSaid['returns'] | null };
type About = { first: string; tell(words: string): void };

export type FiledFile = OfMonth & FileSaid;

/** The months of the scenario's shops: which versions were made, and which is filed. */
export class ScenarioMonths {
  readonly #side: Side;
  readonly #about: About;
  readonly #all = new Map<string, Played>();
  readonly #versions = new Map<string, FileSaid>();

  constructor(side: Side, about: About) {
    this.#side = side;
    this.#about = about;
  }

  async act(step: Step, now: string): Promise<void> {
    if (step.act === 'generate') await this.#generate(step, now);
    else if (step.act === 'file') await this.#fileNext(step, now);
    else if (step.act === 'reject') await this.#reject(step);
    else {
      const of = { shop: step.shop, month: addMonths(now, -1 - (step.pick % 3)) };
      const orders = step.chance < 60 ? 0 : 1 + (step.part % 3);
      this.#about.tell(`shop ${of.shop} reports ${orders} missing orders of ${of.month}`);
      await this.#side.missing(of, orders);
    }
  }

  async fileAll(shop: number, now: string): Promise<void> {
    for (let month = this.#about.first; month < now; month = addMonths(month, 1)) {
      const one = this.#of({ shop, month });
      if (one.filed !== null) continue;
      await this.#make(one);
      if (one.versions > 0 && one.settled === null) await this.#file(one, one.versions, { asIs: true, withoutOutstanding: true });
    }
  }

  /** The version of each month that the agency has, in turn, and the returns of those that are settled without. */
  async filed(): Promise<FiledFile[]> {
    const all: FiledFile[] = [];
    for (const { shop, month, filed, settled } of [...this.#all.values()].toSorted((a, b) => (a.month < b.month ? -1 : 1)))
      if (filed !== null) all.push({ shop, month, ...(await this.#said({ shop, month }, filed)) });
      else if (settled !== null) all.push({ shop, month, shopNumber: '', orders: [], returns: settled });
    return all;
  }

  /** Mostly that of the month before. */
  async #generate({ shop, pick, chance }: Step, now: string): Promise<void> {
    const month = addMonths(now, -1 - (chance < 70 ? 0 : pick % 4));
    const one = this.#of({ shop, month });
    if (month >= this.#about.first && one.filed === null) await this.#make(one);
  }

  async #make(one: Played): Promise<void> {
    const version = await this.#side.generate(one);
    one.settled = null;
    if (version === null) return this.#settle(one);
    this.#about.tell(`shop ${one.shop} generates version ${version} of ${one.month}`);
    one.versions = version;
  }

  /** The first month is before the shop. */
  async #settle(one: Played): Promise<void> {
    if (one.month === this.#about.first) return;
    one.settled = await this.#side.settle(one);
    this.#about.tell(`shop ${one.shop} settles ${one.month} with ${one.settled.length} returns`);
  }

  /** The earliest month that has a file is filed, mostly its last version. */
  async #fileNext({ shop, chance, pick, part }: Step, now: string): Promise<void> {
    for (let month = this.#about.first; month < now; month = addMonths(month, 1)) {
      const one = this.#of({ shop, month });
      if (one.filed !== null || one.settled !== null || (one.versions === 0 && month === this.#about.first)) continue;
      if (one.versions < one.least) return;
      const version = chance < 65 ? one.versions : one.least + (pick % (one.versions - one.least + 1));
      if (await this.#contradicts(one, version)) one.least = one.versions + 1;
      if (one.versions < one.least) return;
      return this.#file(one, version, { asIs: part % 10 < 7, withoutOutstanding: part < 70 });
    }
  }

  async #file(one: Played, version: number, how: { asIs: boolean; withoutOutstanding: boolean }): Promise<void> {
    const { shop, month } = one;
    const taken = await this.#side.file({ shop, month, version, ...how });
    const said = `${how.asIs ? ' as it is' : ''}${how.withoutOutstanding ? ' without outstanding' : ''}`;
    this.#about.tell(`shop ${shop} files version ${version} of ${month}${said}: ${taken ? 'taken' : 'refused'}`);
    if (!taken) return;
    one.filed = version;
    // Files of later months were made as if another version of this one counted.
    if (version <= one.rejected) for (const later of this.#after(one)) later.least = later.versions + 1;
  }

  /** One that was filed, mostly the last; mostly another version has to follow, and always if later months are filed: those say what that one says. */
  async #reject({ shop, chance, pick }: Step): Promise<void> {
    const filed = [...this.#all.values()].filter((one) => one.shop === shop && one.filed !== null).toSorted((a, b) => (a.month < b.month ? 1 : -1));
    const last = filed[pick % 10 < 7 ? 0 : pick % Math.max(1, filed.length)];
    if (last === undefined) return;
    const taken = await this.#side.reject(last);
    this.#about.tell(`shop ${shop} says that ${last.month} was rejected: ${taken ? 'taken' : 'refused'}`);
    if (!taken) return;
    last.filed = null;
    last.rejected = last.versions;
    last.least = last.versions + (chance < 80 || this.#after(last).some(({ filed: version }) => version !== null) ? 1 : 0);
  }

  /** With it, filed files would list a sale twice, or give back one before it is listed: a person makes another version instead. */
  async #contradicts({ shop, month }: Played, version: number): Promise<boolean> {
    const others = (await this.filed()).filter((file) => file.shop === shop && file.month !== month);
    const files = [...others, { shop, month, ...(await this.#said({ shop, month }, version)) }];
    const lists = new Map(files.flatMap((file) => file.orders.map(({ number }) => [number, file.month])));
    const isTwice = lists.size < files.reduce((count, { orders }) => count + orders.length, 0);
    return isTwice || files.some(({ month: of, returns }) => returns.some(({ number }) => (lists.get(number) ?? '9999') > of));
  }

  /** A version never changes. */
  async #said(of: OfMonth, version: number): Promise<FileSaid> {
    const key = `${of.shop} ${of.month} ${version}`;
    const said = this.#versions.get(key) ?? (await this.#side.said({ ...of, version }));
    this.#versions.set(key, said);
    return said;
  }

  #after({ shop, month }: OfMonth): Played[] {
    return [...this.#all.values()].filter((one) => one.shop === shop && one.month > month);
  }

  #of({ shop, month }: OfMonth): Played {
    const key = `${shop} ${month}`;
    const found = this.#all.get(key) ?? { shop, month, versions: 0, filed: null, least: 1, rejected: 0, settled: null };
    this.#all.set(key, found);
    return found;
  }
}
