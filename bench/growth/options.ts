import { parseArgs } from 'node:util';

export type Options = {
  /** Orders of history of each ledger that is measured, the smallest first. */
  histories: readonly number[];
  /** Orders of one run. */
  count: number;
  rounds: number;
  /** Orders that are due when the compliance service comes back; 0: left out. */
  backlog: number;
  /** File for the results as JSON; null: only the table. */
  json: string | null;
};

/** By how much the throughput of the largest history may differ from that of the smallest. */
export const AIM = 0.15;

const help = `npm run bench:growth -- [options]

  --orders N,N,…  orders of history of each ledger (default 100000,1000000,3000000)
  --count N       orders of one run (default 6000)
  --rounds N      runs of each ledger, in turn (default 5)
  --backlog N     orders that are due when the compliance service comes back (default 100000; 0 leaves it out)
  --json FILE     write the results there, too
It ends with 1 if the median throughput of a ledger differs from that of the smallest by more than ${AIM * 100} %.`;

/** Null: the help was printed. Throws what is wrong with an option. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      orders: { type: 'string', default: '100000,1000000,3000000' },
      count: { type: 'string', default: '6000' },
      rounds: { type: 'string', default: '5' },
      backlog: { type: 'string', default: '100000' },
      json: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(help);
    return null;
  }
  const { orders, count, rounds, backlog, json = null } = values;
  const histories = orders.split(',').map((one) => whole('orders', one));
  if (histories.some((one, at) => at > 0 && one <= (histories[at - 1] ?? 0))) throw new Error('--orders are from the smallest to the largest');
  return { histories, count: whole('count', count), rounds: whole('rounds', rounds), backlog: backlog === '0' ? 0 : whole('backlog', backlog), json };
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is a whole number above zero`);
  return Number(text);
}
