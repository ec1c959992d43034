import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCompanyId } from '../../../src/contract/shop-dto.ts';
import { Refusal } from '../../../src/operations/refusal.ts';
import { advanceTo, numbersOf, takeBack } from '../../../src/operations/service/numbers.ts';
import type { IssuedKey } from '../../../src/service/keys/api-keys.ts';
import { grantMerchant } from '../../../src/service/keys/company-owners.ts';
import { runs } from '../../support/run-size.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const by = 'cli:test@host';

let postgres: TestPostgres;
let server: ComplianceServer;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service') });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** `start`: as it is, or so far above the highest number that the company's documents have. */
const start = fc.oneof(
  fc.record({ at: fc.constantFrom(1, 7, 500, 9_000_000_000, 9_000_000_001, 9_999_999_999) }),
  fc.record({ above: fc.constantFrom(-1, 0, 1, 2, 60_000, 99_999, 100_000, 100_001, 200_000) }),
);
const place = fc.nat(2);
const weighted = <T>(arbitrary: fc.Arbitrary<T>, weight: number) => ({ arbitrary, weight });
const step = fc.oneof(
  weighted(fc.record({ do: fc.constant('create' as const), owner: place, company: place, start }), 3),
  weighted(fc.record({ do: fc.constant('put' as const), shop: place, start }), 5),
  weighted(fc.record({ do: fc.constant('order' as const), shop: place }), 5),
  weighted(fc.record({ do: fc.constant('delete order' as const), shop: place }), 1),
  weighted(fc.record({ do: fc.constant('move' as const), shop: place, company: place }), 1),
  weighted(fc.record({ do: fc.constant('delete shop' as const), shop: place }), 2),
  weighted(fc.record({ do: fc.constant('take back' as const), company: place }), 2),
  weighted(fc.record({ do: fc.constant('advance' as const), company: place, start }), 1),
  weighted(fc.record({ do: fc.constant('grant' as const), company: place, owner: place, move: fc.boolean() }), 1),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;

type Shop = { id: string; owner: number; company: number; orders: string[] };

/** Companies, owners of keys and their shops; what was given, and what the operator has said since. */
class Sequences {
  readonly companies = freshCompanies(3);
  readonly #owners: { key: IssuedKey; call: Call }[];
  #shops: Shop[] = [];
  readonly #given = new Map<number, number[]>();
  readonly #said = new Set<number>();
  #count = 0;

  constructor(keys: IssuedKey[]) {
    this.#owners = keys.map((key) => ({ key, call: callerOf(server.baseUrl, key) }));
  }

  async take(one: Step): Promise<void> {
    const shop = 'shop' in one ? this.#shops[one.shop % Math.max(1, this.#shops.length)] : undefined;
    if ('shop' in one && shop === undefined) return;
    const before = await this.#nextOf();
    const acting = shop?.owner ?? ('owner' in one ? one.owner : null);
    const owned = await this.#ownedBy(acting);
    await this.#done(one, shop);
    const after = await this.#nextOf();
    const isOperators = one.do === 'take back' || one.do === 'advance' || one.do === 'grant';
    for (const [at, uic] of this.companies.entries())
      if (!isOperators && !owned.has(uic) && before[at] !== null) expect(after[at], `${one.do} of a stranger moved the numbers of ${uic}`).toBe(before[at]);
  }

  async #done(one: Step, shop: Shop | undefined): Promise<void> {
    if (one.do === 'create') return this.#create(one);
    if (one.do === 'take back') return this.#byOperator(() => takeBack(server, { companyUic: this.#uic(one.company), why: 'mistyped', by }));
    if (one.do === 'advance') return this.#advance(one);
    if (one.do === 'grant') {
      const keyId = this.#owner(one.owner).key.id;
      await grantMerchant(server.pool, { keyId, merchant: this.#uic(one.company), move: one.move, now: new Date(), said: { by } });
    } else if (shop !== undefined) await this.#atShop(one, shop);
  }

  async #atShop(one: Step, shop: Shop): Promise<void> {
    const { call } = this.#owner(shop.owner);
    if (one.do === 'put') await call('PUT', `/shop/${shop.id}`, { body: { receiptStartNumber: this.#number(one.start, shop.company) } });
    if (one.do === 'order') await this.#order(shop);
    if (one.do === 'delete order') await call('DELETE', `/order/${shop.orders.pop() ?? shop.id}`);
    if (one.do === 'delete shop') {
      await call('DELETE', `/shop/${shop.id}`, { body: { name: shopDto().name } });
      this.#shops = this.#shops.filter((other) => other !== shop);
    }
    if (one.do === 'move') {
      const { status } = await call('PUT', `/shop/${shop.id}`, { body: { companyUic: this.#uic(one.company) } });
      if (status === 200) shop.company = one.company;
    }
  }

  async #create({ owner, company, start: from }: Extract<Step, { do: 'create' }>): Promise<void> {
    const body = shopDto({ companyUic: this.#uic(company), receiptStartNumber: this.#number(from, company) });
    const made = await this.#owner(owner).call('POST', '/shop', { body });
    if (made.status === 200) this.#shops.push({ id: String(made.body['id']), owner, company, orders: [] });
  }

  async #advance({ company, start: to }: Extract<Step, { do: 'advance' }>): Promise<void> {
    this.#said.add(company);
    await this.#byOperator(() => advanceTo(server, { companyUic: this.#uic(company), to: this.#number(to, company), why: 'try', by }));
  }

  async #byOperator(act: () => Promise<unknown>): Promise<void> {
    await act().catch((thrown: unknown) => {
      if (!(thrown instanceof Refusal)) throw thrown;
    });
  }

  async #order(shop: Shop): Promise<void> {
    this.#count += 1;
    const made = await this.#owner(shop.owner).call('POST', '/order', { body: orderDto(shop.id, { internalId: String(this.#count) }) });
    if (made.status !== 200) return;
    shop.orders.push(String(made.body['id']));
    const number = Number(made.body['documentNumber']);
    const given = this.#given.get(shop.company) ?? [];
    const last = given.at(-1);
    expect(given, 'a number is given once').not.toContain(number);
    if (last !== undefined) expect(number, 'numbers rise').toBeGreaterThan(last);
    if (!this.#said.has(shop.company)) expect(number - (last ?? number), 'no hole beyond the bound').toBeLessThanOrEqual(100_000);
    if (last === undefined && !this.#said.has(shop.company)) expect(number).toBeLessThanOrEqual(9_000_000_000);
    this.#given.set(shop.company, [...given, number]);
    this.#said.delete(shop.company);
  }

  #nextOf(): Promise<(number | null)[]> {
    return Promise.all(
      this.companies.map((uic) =>
        numbersOf(server, uic).then(
          ({ next }) => next,
          () => null,
        ),
      ),
    );
  }

  async #ownedBy(owner: number | null): Promise<ReadonlySet<string>> {
    const id = owner === null ? null : this.#owner(owner).key.id;
    const { rows } = await server.pool.query<{ merchant: string }>('select merchant from compliance.company_owners where owner_id = $1', [id]);
    return new Set(rows.map(({ merchant }) => merchant));
  }

  #number(from: Start, company: number): number {
    if ('at' in from) return from.at;
    return Math.min(9_999_999_999, Math.max(1, (this.#given.get(company)?.at(-1) ?? 0) + from.above));
  }

  #uic = (company: number): string => this.companies[company] ?? '';

  #owner(owner: number) {
    const found = this.#owners[owner];
    if (found === undefined) throw new Error('there is no such owner');
    return found;
  }
}

let last = 206_000_000;
function freshCompanies(count: number): string[] {
  const found: string[] = [];
  while (found.length < count) {
    last += 1;
    if (isCompanyId(String(last))) found.push(String(last));
  }
  return found;
}

test(
  'F2, F5: whatever owners, orders, start numbers and the operator do: no number twice, no hole beyond the bound, nobody moves another’s',
  async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const keys = await Promise.all([true, true, false].map((multiShop) => server.service.keys.create({ multiShop })));
      const sequences = new Sequences(keys);
      for (const one of steps) await sequences.take(one);
    });
    await fc.assert(property, { numRuns: runs(6, 50) });
  },
  runs(120_000, 1_200_000),
);
