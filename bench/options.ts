import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const PARTS = ['accept', 'e2e', 'steady', 'traces', 'backlog', 'startup'] as const;
export type Part = (typeof PARTS)[number];

const SETTLES = ['0', '5', 'both'] as const;
const SYNCS = ['everysec', 'always'] as const;

export type Options = {
  quick: boolean;
  /** File for the results as JSON; null: only the table. */
  json: string | null;
  appendFsync: (typeof SYNCS)[number];
  /** Whether orders are submitted at once, after the default quiet time, or both, one after the other. */
  settle: (typeof SETTLES)[number];
  parts: readonly Part[];
  rounds: number;
  /** Webhooks per contestant and round. */
  accept: number;
  orders: number;
  /** How long webhooks arrive in a run with a quiet time. */
  settledSeconds: number;
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

  --quick              one short round (two to three minutes; all of it takes about half an hour)
  --json FILE          write the results there, too
  --only PART          accept, e2e, steady, traces, backlog or startup
  --settle S           quiet time of orderbridge end to end: 0, 5 (the default of QUIET_SECONDS) or both (default)
  --appendfsync P      everysec (default) or always, as in docker-compose.yml, for all contestants
  --rounds N           rounds of accept, end to end and steady (default 6: each checkout is first as often as second)
  --orders N           orders of one end-to-end run without a quiet time (default 6000)
  --accept N           webhooks of one accept run (default 4000)
  --backlog N          orders that pile up while the compliance service is down (default 10000; 0 leaves it out)
  --concurrency N      orders submitted at once, for all contestants (default 32)
  --against DIRECTORY  another checkout of orderbridge to run beside this one, with databases of its own
  --root DIRECTORY     the checkout that is measured (default: this one)
BENCH_PROFILE=DIRECTORY leaves a CPU profile of each process of each contestant there.`;

/** Null: the help was printed. Throws in words if an option is not known or not as the help says. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string' },
      settle: { type: 'string', default: 'both' },
      appendfsync: { type: 'string', default: 'everysec' },
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
  const { quick, only } = values;
  const backlog = whole('backlog', values.backlog, quick ? 3_000 : 10_000);
  return {
    quick,
    json: values.json ?? null,
    appendFsync: oneOf('appendfsync', values.appendfsync, SYNCS),
    settle: oneOf('settle', values.settle, SETTLES),
    parts: (only === undefined ? PARTS : [oneOf('only', only, PARTS)]).filter((part) => part !== 'backlog' || backlog > 0),
    rounds: above0('rounds', values.rounds, quick ? 1 : 6),
    accept: above0('accept', values.accept, quick ? 1_500 : 4_000),
    orders: above0('orders', values.orders, quick ? 1_500 : 6_000),
    backlog,
    settledSeconds: quick ? 10 : 20,
    steadySeconds: quick ? 4 : 8,
    concurrency: above0('concurrency', values.concurrency, 32),
    root: resolve(values.root),
    against: values.against === undefined ? null : resolve(values.against),
  };
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new Error(`--${name} is one of ${choices.join(', ')}`);
  return choice;
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,7}$/.test(text)) throw new Error(`--${name} is a whole number`);
  return Number(text);
}

function above0(name: string, text: string | undefined, otherwise: number): number {
  const number = whole(name, text, otherwise);
  if (number === 0) throw new Error(`--${name} is a whole number above zero`);
  return number;
}
