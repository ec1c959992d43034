import { noneOf, type Verdict } from '../hostile/verdict.ts';
import type { Load } from './load.ts';
import type { ThreeMachines } from './three-machines.ts';

type Row = { id: string; total: string; state: string; number: number };

const LEDGER = 'select order_id as id, total, state, 0 as number from bridge.orders';
const SERVICE = `select internal_id as id, total, 'recorded' as state, document_number as number from compliance.orders order by document_number`;

/** Orders whose webhook was answered 200 and which are not recorded, with the moment of that answer. */
export async function acceptedNotIn({ ask }: ThreeMachines, { answered }: Load, books = LEDGER): Promise<string[]> {
  const there = new Set((await ask(books)).map(rowOf).flatMap(({ id, state }) => (state === 'recorded' ? [id] : [])));
  return answered.flatMap(({ id, at, answer }) => (answer !== '200' || there.has(id) ? [] : [`order ${id}, answered at ${seconds(at)}`]));
}

/** Compares what was answered with 200 with what is in the ledger and in the compliance service, order by order and to the cent. */
export async function judgeBooks(machines: ThreeMachines, load: Load): Promise<Verdict[]> {
  const { answered, totals } = load;
  const [ledger, service] = await Promise.all([LEDGER, SERVICE].map(async (text) => (await machines.ask(text)).map(rowOf)));
  const wrong = (rows: readonly Row[] = []) => {
    const seen = new Set<string>();
    return rows.flatMap(({ id, total }) => {
      const isTwice = seen.has(id);
      seen.add(id);
      if (isTwice) return [`order ${id} twice`];
      return totals.get(id) === total ? [] : [`order ${id} with ${total} instead of ${totals.get(id)}`];
    });
  };
  const refused = answered.filter(({ answer }) => answer !== '200');
  const moments = Object.entries(Object.groupBy(refused, ({ at, answer }) => `${answer} at ${Math.floor(at / 1000)} s`));
  const numbers = (service ?? []).map(({ number }) => number);
  const skipped = numbers.filter((number, n) => n > 0 && number !== (numbers[n - 1] ?? 0) + 1).map((number) => `before ${number}`);
  return [
    {
      ...noneOf(
        'every webhook is answered 200',
        moments.map(([moment, some]) => `${some?.length} ${moment}`),
      ),
      figure: `${refused.length} otherwise`,
    },
    noneOf('every order whose webhook was answered 200 is recorded in the ledger', await acceptedNotIn(machines, load)),
    noneOf('every such order is in the compliance service', await acceptedNotIn(machines, load, SERVICE)),
    noneOf('the ledger has each order once, to the cent', wrong(ledger)),
    noneOf('the compliance service has each order once, to the cent', wrong(service)),
    noneOf('no document number is skipped', skipped),
  ];
}

function rowOf({ id, total, state, number }: Record<string, unknown>): Row {
  return { id: String(id), total: Number(total).toFixed(2), state: String(state), number: Number(number) };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
