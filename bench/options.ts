import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export type Options = {
  quick: boolean;
  /** File for the results as JSON; null: only the table. */
  json: string | null;
  appendFsync: 'always' | 'everysec';
  rounds: number;
  /** Webhooks per contestant and round. */
  accept: number;
  orders: number;
  /** Orders that pile up while the compliance service is down; 0: left out. */
  backlog: number;
  steadySeconds: number;
  concurrency: number;
  /** The checkout of orderbridge that is measured. */
  root: string;
  /** Another checkout, measured beside it; null: none. */
  against: string | null;
};

const help = `npm run bench -- [options]

  --quick              one short round (about a minute)
  --json FILE          write the results there, too
  --appendfsync P      always (default, as in docker-compose.yml) or everysec, for all contestants
  --rounds N           rounds of accept and end to end (default 3)
  --orders N           orders of one end-to-end run (default 3000)
  --accept N           webhooks of one accept run (default 4000)
  --backlog N          orders that pile up while the compliance service is down (default 10000; 0 leaves it out)
  --concurrency N      orders submitted at once, for all contestants (default 32)
  --against DIRECTORY  another checkout of orderbridge to run beside this one, with a database of its own
  --root DIRECTORY     the checkout that is measured (default: this one)
BENCH_PROFILE=DIRECTORY leaves a CPU profile of each process of each contestant there.`;

/** Null: the help was printed. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      appendfsync: { type: 'string', default: 'always' },
      rounds: { type: 'string' },
      orders: { type: 'string' },
      accept: { type: 'string' },
      backlog: { type: 'string' },
      concurrency: { type: 'string' },
      against: { type: 'string' },
      root: { type: 'string', default: join(import.meta.dirname, '..') },
    },
  });
  if (values.help) {
    console.log(help);
    return null;
  }
  const { quick, appendfsync } = values;
  if (appendfsync !== 'always' && appendfsync !== 'everysec') throw new Error('--appendfsync is always or everysec');
  return {
    quick,
    json: values.json ?? null,
    appendFsync: appendfsync,
    rounds: whole('rounds', values.rounds, quick ? 1 : 3),
    accept: whole('accept', values.accept, quick ? 1_500 : 4_000),
    orders: whole('orders', values.orders, quick ? 1_500 : 3_000),
    backlog: whole('backlog', values.backlog, quick ? 3_000 : 10_000),
    steadySeconds: quick ? 4 : 8,
    concurrency: whole('concurrency', values.concurrency, 32),
    root: resolve(values.root),
    against: values.against === undefined ? null : resolve(values.against),
  };
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,7}$/.test(text)) throw new Error(`--${name} is a whole number`);
  return Number(text);
}
