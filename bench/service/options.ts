import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NODE_OPTIONS } from '../as-started.ts';

export type Options = {
  quick: boolean;
  /** File for the results as JSON; null: only the table. */
  json: string | null;
  rounds: number;
  /** Orders of one run flat out. */
  orders: number;
  steadySeconds: number;
  /** Orders of the months whose files are made, the largest last. */
  months: number[];
  /** The checkout of orderbridge that is measured. */
  root: string;
  /** Another checkout, measured beside it; null: none. */
  against: string | null;
  parts: ReadonlySet<Part>;
  /** Options of Node for the service and the process that makes months; by default those of `npm start`. */
  nodeOptions: string;
};

const PARTS = ['create', 'steady', 'month'] as const;
export type Part = (typeof PARTS)[number];

const help = `npm run bench:service -- [options]

  --quick              one short round (about a minute)
  --json FILE          write the results there, too
  --rounds N           rounds of each part (default 3)
  --orders N           orders of one run flat out (default 10000)
  --month N            orders of the largest month (default 100000); a tenth and a half of it are measured, too
  --only PART          create, steady or month
  --against DIRECTORY  another checkout of orderbridge to measure beside this one; it must have bench/service
  --node-options TEXT  options of Node for what is measured (default: that of npm start, ${NODE_OPTIONS})
  --root DIRECTORY     the checkout that is measured (default: this one)
BENCH_PROFILE=DIRECTORY leaves CPU profiles of the service there.`;

/** Null: the help was printed. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      rounds: { type: 'string' },
      orders: { type: 'string' },
      month: { type: 'string' },
      only: { type: 'string' },
      'node-options': { type: 'string', default: NODE_OPTIONS },
      against: { type: 'string' },
      root: { type: 'string', default: join(import.meta.dirname, '../..') },
    },
  });
  if (values.help) {
    console.log(help);
    return null;
  }
  const { quick } = values;
  const month = whole('month', values.month, quick ? 20_000 : 100_000);
  return {
    quick,
    json: values.json ?? null,
    rounds: whole('rounds', values.rounds, quick ? 1 : 3),
    orders: whole('orders', values.orders, quick ? 4_000 : 10_000),
    steadySeconds: quick ? 5 : 20,
    months: [month / 10, month / 2, month].map(Math.floor),
    root: resolve(values.root),
    against: values.against === undefined ? null : resolve(values.against),
    parts: partsOf(values.only),
    nodeOptions: values['node-options'],
  };
}

function partsOf(only: string | undefined): ReadonlySet<Part> {
  if (only === undefined) return new Set(PARTS);
  const part = PARTS.find((name) => name === only);
  if (part === undefined) throw new Error(`--only is one of ${PARTS.join(', ')}`);
  return new Set([part]);
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} is a whole number above zero`);
  return Number(text);
}
