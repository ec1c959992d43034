import { openService } from '../../src/app/embedded-service.ts';
import { insertPerson } from '../../src/bridge/ledger/people/people-store.ts';
import type { PersonRole } from '../../src/contract/person-role.ts';
import { isCompanyId } from '../../src/contract/shop-dto.ts';
import { openSession } from '../../src/operations/people/sessions.ts';
import { inTransaction } from '../../src/platform/postgres/postgres.ts';
import { generateMonth } from '../../src/service/audit/month/generate-month.ts';
import { addMonths, monthOf, sofiaDay } from '../../src/service/law/calendar.ts';
import { Bridge, type Connected, orderOf } from '../../test/support/worlds/bridge.ts';
import { callerOf, shopDto } from '../../test/support/worlds/compliance-caller.ts';
import { until } from '../../test/support/worlds/settled.ts';

import { fillPeople } from './fill-people.ts';

/** So many are connected at a time. */
const AT_ONCE = 8;
const ROLES: readonly PersonRole[] = ['owner', 'operator', 'accountant', 'viewer'];

/** What the first orders of the world are, by their id; the others are copies of these. */
const LINE = { id: 'a', name: 'Тениска с надпис', quantity: 1, vatRate: '20' };
const MORE_LINES = [
  { id: 'b', name: 'Книга за готвене', quantity: 1, amount: '10.00', vatRate: '9' },
  { id: 'c', name: 'Чаша', quantity: 1, amount: '5.00', vatRate: '20' },
];
const kinds: Readonly<Record<string, Record<string, unknown>>> = {
  '101': {},
  '102': { total: '63.00', lines: [{ ...LINE, amount: '48.00' }, ...MORE_LINES] },
  '103': { payment: { method: 'borica_pos' } },
  '104': { lines: [{ ...LINE, amount: '48.00', vatRate: '7' }] },
  '105': { total: '47.99' },
  '106': { status: 'pending', paidAt: null },
  '107': { createdAt: '2019-01-01T00:00:00Z', paidAt: '2019-01-01T00:00:00Z' },
};

/** What the program itself made: the token of the owner’s session. */
export type Samples = { token: string };

/** Connects the stores, and lets one order of each kind come the usual way, so that what is copied is what the program writes. */
export async function makeSamples(databaseUrl: string, stores: number): Promise<Samples> {
  await using bridge = await Bridge.start({ databaseUrl });
  const destination = await bridge.app.core.destinations.find(await bridge.embeddedDestinationId());
  if (destination === null) throw new Error('the embedded service is not a destination');
  const call = callerOf(bridge.app.url, destination.credentials);
  const left = [...companyIds(stores).entries()];
  const connect = async ([n, companyUic]: (typeof left)[number]): Promise<Connected> => {
    const name = `Магазин ${n + 1}`;
    const { status, body } = await call('POST', '/shop', { body: shopDto({ companyUic, name, domain: `shop-${n + 1}.example` }) });
    if (status !== 200) throw new Error(`no shop was made: ${JSON.stringify(body)}`);
    return bridge.connect({ shopId: String(body['id']), name });
  };
  const first = await connect(left.shift() ?? [0, '']);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await connect(next);
    }),
  );
  await sendOrders(bridge, first);
  await makeMonth(bridge, first);
  const samples = { token: await signIn(bridge) };
  await fillPeople(bridge);
  return samples;
}

async function sendOrders(bridge: Bridge, store: Connected): Promise<void> {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  for (const [id, changes] of Object.entries(kinds)) {
    const order = orderOf(id, { createdAt: at, updatedAt: at, paidAt: at, lines: [{ ...LINE, amount: '48.00' }], ...changes });
    await bridge.send(store, 'order.paid', { order });
  }
  const decided = async () =>
    (await bridge.pool.query(`select from orders where state <> 'queued' and revision <= greatest(recorded_revision, review_revision)`)).rowCount;
  await until(async () => (await decided()) === Object.keys(kinds).length, { what: 'the sample orders to be decided', timeoutMs: 30_000 });
}

/** The file of the last month, of the recorded ones. */
async function makeMonth({ app, pool }: Bridge, { connection: { shopId } }: Connected): Promise<void> {
  const month = lastMonth();
  await pool.query(`update compliance.orders set month = $2::date, document_date = $2::date + 14, internal_created_at = $3 where shop_id = $1`, [
    shopId,
    `${month}-01`,
    `${month}-15T10:15:00+02:00`,
  ]);
  await using service = await openService(app.core);
  const made = await generateMonth(service.audit, { shopId, month, now: true });
  if (made.kind !== 'generated') throw new Error(`the sample month is ${JSON.stringify(made)}`);
}

/** "2026-10" */
export function lastMonth(): string {
  return addMonths(monthOf(sofiaDay(new Date().toISOString())), -1);
}

async function signIn({ pool }: Bridge): Promise<string> {
  const people = [];
  for (const [n, role] of Array.from({ length: 24 }, (_, n) => [n, ROLES[n % ROLES.length] ?? 'viewer'] as const)) {
    const given = { email: `person-${n}@example.com`, name: `Служител ${n}`, role, shops: null, lang: n % 2 === 0 ? 'en' : 'bg' } as const;
    people.push(await inTransaction(pool, (tx) => insertPerson(tx, given)));
  }
  const [owner] = people;
  if (owner === undefined || owner === null) throw new Error('there is no owner');
  const session = await openSession({ pool }, { person: owner, way: 'password', agent: 'bench' });
  if (session === null) throw new Error('the owner is not signed in');
  return session.token;
}

function companyIds(count: number): string[] {
  const candidates = Array.from({ length: count * 12 }, (_, i) => String(200_000_000 + i));
  return candidates.filter(isCompanyId).slice(0, count);
}
