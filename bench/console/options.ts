import { parseArgs } from 'node:util';

export type Options = {
  /** File for the results as JSON; null: only the table. */
  json: string | null;
  /** In the ledger. */
  orders: number;
  /** Of very different size: the n-th has 1/n of the orders of the first. */
  stores: number;
  /** Requests of each kind of page. */
  count: number;
  seed: number;
  /** Folder in which the database is kept, and found again; null: it is thrown away. */
  keep: string | null;
  /** As of how many orders the planner's figures are, and pages are looked at for the plans of their statements; null: the real ones. */
  planned: number | null;
  /** Only pages whose name contains this. */
  only: string;
};

/** What each page must answer within, in 95 of 100 requests. */
export const AIM_MS = 100;

const help = `npm run bench:console -- [options]

  --orders N      orders in the ledger (default 1000000)
  --stores N      stores, each with a shop of its own (default 2000)
  --count N       requests of each kind of page (default 200)
  --seed N        of the orders, and of what is looked for (default 1)
  --keep FOLDER   keep the database there, and use it again: making it takes minutes
  --planned N     plan as of N orders, and look at the plans of each page: none may read all of a table that grows
  --only TEXT     only pages whose name contains this
  --json FILE     write the results there, too
It ends with 1 if a page is slower than ${AIM_MS} ms at p95.`;

/** Null: the help was printed. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      orders: { type: 'string', default: '1000000' },
      stores: { type: 'string', default: '2000' },
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'string' },
      planned: { type: 'string' },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(help);
    return null;
  }
  const { orders, stores, count, seed, keep = null, planned, only, json = null } = values;
  const sizes = { orders: whole('orders', orders), stores: whole('stores', stores), count: whole('count', count), seed: whole('seed', seed) };
  return { ...sizes, keep, planned: planned === undefined ? null : whole('planned', planned), only, json };
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is a whole number above zero`);
  return Number(text);
}
