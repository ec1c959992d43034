import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { findDelivery, markReplayed, type ReplayableDelivery } from '../../bridge/ledger/delivery-store.ts';
import type { Normalized } from '../../bridge/storefronts/contract.ts';
import { parseJson } from '../../bridge/storefronts/lossless-json.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { knownConnection } from '../known-connection.ts';
import { withQueues } from '../wake-orders.ts';
import { withCore } from '../with-core.ts';

const decompress = promisify(zstdDecompress);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `orderbridge replay` */
export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description(
      'Reads a kept webhook again as if it came now, but with its own time of arrival, so that it does not overtake what came after it. ' +
        'For webhooks that could not be read, after an upgrade; replaying any other changes nothing that is right.',
    )
    .argument('<delivery>', 'id of the delivery (`orderbridge parked` and `orderbridge order` show it)')
    .action((id: string) => withCore(context, (core) => replay(context, core, id)));
}

type Kept = ReplayableDelivery & { body: Buffer };

async function replay(context: CliContext, core: Core, id: string): Promise<void> {
  const kept = await keptDelivery(core, id);
  const normalized = await readAgain(core, kept);
  if (normalized.kind === 'unreadable') {
    throw new CliError(`the delivery ${id} still can't be read: ${normalized.problems.map(({ detail }) => detail).join('; ')}`);
  }
  if (normalized.kind !== 'ignored') await queueAgain(core, kept, normalized);
  await markReplayed(core.pool, id);
  printLines(context, [normalized.kind === 'ignored' ? `The delivery ${id} needs nothing: ${normalized.why}.` : `The delivery ${id} is on its way again.`]);
}

async function keptDelivery({ pool }: Core, id: string): Promise<Kept> {
  const found = UUID.test(id) ? await findDelivery(pool, id) : null;
  if (found === null) throw new CliError(`no delivery has the id ${id}; \`orderbridge parked\` and \`orderbridge order\` show the ids`);
  const { body } = found;
  if (body === null)
    throw new CliError(
      `the body of the delivery ${id} is gone (its retention time is over, or it was erased); save the order in the store, which sends it again`,
    );
  return { ...found, body };
}

async function readAgain(core: Core, { connectionId, topic, platformDeliveryId, store, body }: Kept): Promise<Normalized> {
  const { platform } = await knownConnection(core, connectionId);
  const parsed = parseJson(await decompress(body));
  if (!parsed.ok) throw new Error('a kept body is not JSON');
  return storefrontOf(storefronts, platform).normalize({ topic, deliveryId: platformDeliveryId, store }, parsed.value);
}

async function queueAgain(core: Core, { connectionId, topic, platformDeliveryId, store, arrivedAt, body }: Kept, normalized: Normalized): Promise<void> {
  const delivery = { id: randomUUID(), connectionId, arrivedAt, topic, platformDeliveryId, store, body: body.toString('base64'), normalized };
  await withQueues(core, (queues) => queues.addDeliveries({ v: 1, deliveries: [delivery] }));
}
