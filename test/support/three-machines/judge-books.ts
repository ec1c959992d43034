import { noneOf, type Verdict } from '../hostile/verdict.ts';
import type { Load } from './load.ts';
import type { ThreeMachines } from './three-machines.ts';

type Row = { id: string; total: string; state: string; number: number };

const LEDGER = 'select order_id as id, total, state, 0 as number from bridge.orders';
const SERVICE = `select internal_id as id, total, 'recorded' as state, document_number as number from compliance.orders order by document_number`;

/** Compares what was answered with 200 with what is in the ledger and in the compliance service, order by order and to the cent. */
export async function judgeBooks({ ask }: ThreeMachines, { answered, totals }: Load): Promise<Verdict[]> {
  const [ledger, service] = await Promise.all([LEDGER, SERVICE].map(async (text) => (await ask(text)).map(rowOf)));
  const acknowledged = new Map(answered.filter(({ answer }) => answer === '200').map(({ id, at }) => [id, at]));
  const absentFrom = (rows: readonly Row[] = []) => {
    const there = new Set(rows.filter(({ state }) => state === 'recorded').map(({ id }) => id));
    return [...acknowledged].flatMap(([id, at]) => (there.has(id) ? [] : [`order ${id}, answered at ${seconds(at)}`]));
  };
  const wrong = (rows: readonly Row[] = []) => {
    const seen = new Set<string>();
    return rows.flatMap(({ id, total }) => {
      const isTwice = seen.has(id);
      seen.add(id);
      if (isTwice) return [`order ${id} twice`];
      return totals.get(id) === total ? [] : [`order ${id} with ${total} instead of ${totals.get(id)}`];
    });
  };
  const refused = answered.filter(({ answer }) => answer !== '200').map(({ id, at, answer }) => `order ${id} at ${seconds(at)}: ${answer}`);
  const numbers = (service ?? []).map(({ number }) => number);
  const skipped = numbers.filter((number, n) => n > 0 && number !== (numbers[n - 1] ?? 0) + 1).map((number) => `before ${number}`);
  return [
    noneOf('every webhook is answered 200', refused),
    noneOf('every order whose webhook was answered 200 is recorded in the ledger', absentFrom(ledger)),
    noneOf('every such order is in the compliance service', absentFrom(service)),
    noneOf('the ledger has each order once, to the cent', wrong(ledger)),
    noneOf('the compliance service has each order once, to the cent', wrong(service)),
    noneOf('no document number is skipped', skipped),
  ];
}

function rowOf({ id, total, state, number }: Record<string, unknown>): Row {
  return { id: String(id), total: Number(total).toFixed(2), state: String(state), number: Number(number) };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
