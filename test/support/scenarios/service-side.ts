import { createHash } from 'node:crypto';
import { z } from 'zod';
import { embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import { readAuditFile } from '../../../src/service/audit/format/audit-reader.ts';
import { verifyAuditFile } from '../../../src/service/audit/format/verify-audit-file.ts';
import { addMonths } from '../../../src/service/law/calendar.ts';
import type { AuditWorld } from '../worlds/audit-world.ts';
import { type Answered, type Call, callerOf, orderDto } from '../worlds/compliance-caller.ts';
import { linesOf } from './scenario-money.ts';
import type { FileSaid, Filing, OfMonth, Side, Sold } from './scenario-side.ts';

const made = z.object({ id: z.string(), version: z.int(), sha256: z.string() });
const shownMonth = z.object({
  situation: z.object({ kind: z.string() }),
  returns: z.object({ count: z.int(), rows: z.array(z.object({ number: z.string(), amount: z.string(), returnedOn: z.string() })) }),
  unreported: z.array(z.object({ month: z.string() })).optional(),
});
const created = z.object({ id: z.string(), documentNumber: z.string() });
const page = z.object({ items: z.array(z.object({ internalId: z.string(), documentNumber: z.string() })), next: z.string().nullable() });

/** A month says no to this, and a person goes on. */
const REFUSED = 409;

/** The service, through HTTP alone; two shops of one merchant. */
export class ServiceSide implements Side {
  readonly #world: AuditWorld;
  readonly #extension: Call;
  readonly #shopIds: string[];
  readonly #orders = new Map<string, string>();
  readonly #files = new Map<string, z.output<typeof made>>();

  static async open(world: AuditWorld): Promise<ServiceSide> {
    return new ServiceSide(world, [world.shopId, await world.newShop({ name: 'Втори', domain: 'second.example', nraNumber: 'RF0000124' })]);
  }

  private constructor(world: AuditWorld, shopIds: string[]) {
    this.#world = world;
    this.#shopIds = shopIds;
    this.#extension = callerOf(world.server.baseUrl, world.credentials, '/service/v1');
  }

  clock(to: Date): void {
    this.#world.setClock(to.toISOString());
  }

  async create({ id, shop, number, at, postal, ...money }: Sold): Promise<string> {
    const lineItems = linesOf(money).map(({ cents, rate }, n) => ({
      name: `Стока ${n + 1}`,
      quantity: 1,
      price: cents / 100,
      vatRate: rate,
      vatGroup: groupOf(rate),
    }));
    const paid = postal ? { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined } : {};
    const body = orderDto(this.#shop(shop), { internalId: id, internalNumber: number, internalCreatedAt: at, currency: money.currency, lineItems, ...paid });
    const order = created.parse(good(await this.#world.call('POST', '/order', { body })));
    this.#orders.set(id, order.id);
    return order.documentNumber;
  }

  async remove(id: string): Promise<void> {
    good(await this.#world.call('DELETE', `/order/${this.#orders.get(id)}`));
  }

  async deliver(id: string, at: string): Promise<void> {
    good(await this.#extension('PUT', `/orders/${this.#orders.get(id)}/delivered`, { body: { at } }));
  }

  async setting(shop: number, changes: Record<string, unknown>): Promise<void> {
    good(await this.#world.call('PUT', `/shop/${this.#shop(shop)}`, { body: changes }));
  }

  async renumber(shop: number, nraNumber: string, from: string | null): Promise<void> {
    await this.setting(shop, { nraNumber, ...(from !== null && { validFrom: from }) });
  }

  /** Throws if its returns can be overlooked before that, or are not settled by it. */
  async settle(of: OfMonth): Promise<FileSaid['returns']> {
    const { situation, returns } = shownMonth.parse(await this.#show(of));
    const isUnreported = async () =>
      (shownMonth.parse(await this.#show({ ...of, month: addMonths(of.month, 1) })).unreported ?? []).some(({ month }) => month === of.month);
    const nothing = async (withReturns: boolean) =>
      taken(await this.#extension('POST', this.#month(of, 'nothing-to-file'), { body: { note: 'Уредено', withReturns } }));
    const hasReturns = returns.count > 0;
    if (situation.kind !== 'nothing') {
      if (situation.kind !== (hasReturns ? 'returns-only' : 'empty') || (await isUnreported()) !== hasReturns)
        throw new Error(`${of.month} without orders is ${situation.kind}`);
      if ((await nothing(false)) === hasReturns || !(await nothing(true))) throw new Error(`${of.month} is settled over ${returns.count} returns`);
    }
    if (await isUnreported()) throw new Error(`${of.month} is settled, and its returns are shown as if it were not`);
    return returns.rows.map(({ number, amount, returnedOn }) => ({ number, cents: centsOf(amount), on: returnedOn }));
  }

  async missing({ shop, month }: OfMonth, orders: number): Promise<void> {
    const one = { month, orders, total: '12.00', currency: 'EUR', oldest: `${month}-03T08:00:00.000Z`, codes: { queued: orders } };
    const body = { at: this.#world.now().toISOString(), months: orders === 0 ? [] : [one] };
    good(await this.#extension('PUT', `/shops/${this.#shop(shop)}/outstanding`, { body }));
  }

  async generate(of: OfMonth): Promise<number | null> {
    const answer = await this.#extension('POST', this.#month(of, 'generate'), { body: { now: true } });
    if (answer.status === REFUSED && ['month-empty', 'month-not-ours'].includes(typeOf(answer) ?? '')) return null;
    const file = made.safeParse(answer.body);
    if (answer.status !== 200 || !file.success) throw new Error(`${of.month} is not made: ${JSON.stringify(await this.#show(of))}`);
    this.#files.set(`${of.shop} ${of.month} ${file.data.version}`, file.data);
    return file.data.version;
  }

  async file({ version, asIs, withoutOutstanding, ...of }: Filing): Promise<boolean> {
    return taken(await this.#extension('POST', this.#month(of, 'filed'), { body: { version, asIs, withoutOutstanding, incomingNumber: `${version}` } }));
  }

  async reject(of: OfMonth): Promise<boolean> {
    return taken(await this.#extension('POST', this.#month(of, 'rejected'), { body: { words: 'Грешка' } }));
  }

  /** Throws if the file has errors, by the schema or by the rules. */
  async said({ shop, month, version }: OfMonth & { version: number }): Promise<FileSaid> {
    const file = this.#files.get(`${shop} ${month} ${version}`);
    const bytes = await this.#content(file?.id ?? '');
    if (createHash('sha256').update(bytes).digest('hex') !== file?.sha256) throw new Error(`the file of ${month} is not the one that was made`);
    const { findings } = await verifyAuditFile(bytes);
    const errors = findings.filter(({ level, rule }) => level === 'error' || rule === 'return.negative');
    if (errors.length > 0) throw new Error(`the file of ${month} has errors: ${errors.map(({ rule, words }) => `${rule} ${words}`).join('; ')}`);
    const orders: FileSaid['orders'][number][] = [];
    const returns: FileSaid['returns'][number][] = [];
    const header = await readAuditFile(bytes, {
      order: ({ number, documentNumber, total, vat }) =>
        orders.push({ number: number ?? '', document: documentNumber ?? '', cents: centsOf(total), vat: centsOf(vat) }),
      return: ({ number, amount, returnedOn }) => returns.push({ number: number ?? '', cents: centsOf(amount), on: returnedOn ?? '' }),
    });
    return { shopNumber: header?.shopNumber ?? '', orders, returns };
  }

  async numbers(): Promise<ReadonlyMap<string, string>> {
    const all = new Map<string, string>();
    for (let after: string | null = ''; after !== null; ) {
      const { items, next }: z.output<typeof page> = page.parse(
        good(await this.#extension('GET', `/orders?limit=100${after === '' ? '' : `&after=${after}`}`)),
      );
      for (const { internalId, documentNumber } of items) all.set(internalId, documentNumber);
      after = next;
    }
    return all;
  }

  async #content(id: string): Promise<Uint8Array> {
    const { apiKey, apiSecret } = this.#world.credentials;
    const headers = { 'x-api-key': apiKey, 'x-signature': sign('', apiSecret, embeddedDialect) };
    return new Uint8Array(await (await fetch(`${this.#world.server.baseUrl}/service/v1/audit-files/${id}/content`, { headers })).arrayBuffer());
  }

  async #show(of: OfMonth): Promise<unknown> {
    return (await this.#extension('GET', this.#month(of, ''))).body;
  }

  #month({ shop, month }: OfMonth, act: string): string {
    return `/shops/${this.#shop(shop)}/months/${month}${act === '' ? '' : `/${act}`}`;
  }

  #shop(shop: number): string {
    return this.#shopIds[shop] ?? '';
  }
}

function good(answer: Answered): Answered['body'] {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function taken(answer: Answered): boolean {
  if (answer.status === REFUSED) return false;
  good(answer);
  return true;
}

function typeOf({ body }: Answered): string | undefined {
  const { type } = body;
  return typeof type === 'string' ? type.split(':').at(-1) : undefined;
}

function groupOf(rate: number): string {
  return rate === 20 ? 'GROUP_B' : rate === 9 ? 'GROUP_D' : 'GROUP_A';
}

function centsOf(amount: string | null): number {
  return Math.round(Number(amount ?? Number.NaN) * 100);
}
