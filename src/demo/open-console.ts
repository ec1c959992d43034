import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../bridge/connections/connection.ts';
import { findOrder } from '../bridge/ledger/kept-order.ts';
import { decideMany } from '../operations/orders/decide-many.ts';
import { signInLink } from '../operations/people/links.ts';
import { addPerson } from '../operations/people/people.ts';
import { receiptsOf, showReceipt } from '../operations/service/receipts.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { SETTLED } from './crowds.ts';
import type { DemoWorld } from './demo-world.ts';
import { BY_DEMO } from './play-past.ts';
import type { StoryOutcome } from './play-stories.ts';

export const OWNER = 'owner@demo.example';

/** `link`: signs the reader in as the owner, once. `receipt`: the file of a document that a buyer got. */
export type Opened = { link: string; receipt: string };

type Played = { outcomes: readonly StoryOutcome[]; linden: Connection; dataDir: string };

/** One order is settled; the owner is added, who signs in by a link as a mail would bring it. */
export async function openConsole(world: DemoWorld, { env }: Pick<CliContext, 'env'>, { outcomes, linden, dataDir }: Played): Promise<Opened> {
  const { core, consoleUrl } = world.app;
  await settleOne(world, outcomes);
  await addPerson(core, { email: OWNER, name: 'Demo', role: 'owner', shops: null, lang: readsBulgarian(env) ? 'bg' : 'en', by: BY_DEMO });
  const made = await signInLink(core, { email: OWNER, to: '/console' });
  if (made === null || consoleUrl === null) throw new Error('the demo has no console to sign in to');
  return { link: `${consoleUrl}${made.path}`, receipt: await keepReceipt(world, { shop: linden.shopId, dataDir }) };
}

async function settleOne({ app, queues }: DemoWorld, outcomes: readonly StoryOutcome[]): Promise<void> {
  const connectionId = outcomes.find(({ store }) => store.crowd?.numbers === SETTLED)?.connectionId;
  const order = connectionId === undefined ? null : await findOrder(app.core.pool, connectionId, SETTLED);
  if (order === null) return;
  const deps = { pool: app.core.pool, notify: queues.notify, now: () => new Date() };
  const why = 'Sold at the fair; it is in the report of the cash register there.';
  await decideMany(deps, { ids: [order.id], about: `order ${SETTLED}`, by: BY_DEMO, why, what: 'elsewhere' });
}

/** The document itself, as the buyer has it, in the demo's folder. */
async function keepReceipt({ service }: DemoWorld, { shop, dataDir }: { shop: string; dataDir: string }): Promise<string> {
  const { pool } = service.audit;
  const [newest] = (await receiptsOf({ pool }, { shop, limit: 1 })).receipts;
  if (newest === undefined) throw new Error('no receipt was issued in the demo');
  const path = join(dataDir, 'receipt.html');
  await writeFile(path, (await showReceipt({ pool }, newest.id)).html);
  return path;
}

function readsBulgarian(env: CliContext['env']): boolean {
  return (env['LC_ALL'] ?? env['LC_MESSAGES'] ?? env['LANG'] ?? '').startsWith('bg');
}
