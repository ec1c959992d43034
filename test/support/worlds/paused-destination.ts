import type { Connection } from '../../../src/bridge/connections/connection.ts';
import type { PauseInput } from '../../../src/bridge/delivery/pauses.ts';
import { until } from './settled.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
/** A process may decide by what it read of the pauses a second ago (`FRESH_MS` of src/bridge/delivery/pauses.ts). */
const KNOWN_AFTER_MS = 1_100;

type Paused = { code: PauseInput['code']; detail: string };

/**
 * Pauses the records of a connection's destination for an hour, in the ledger, as another process would. When it resolves, no worker that runs already decides
 * by what it read before: an order that is sent then waits.
 */
export async function pauseDestination({ bridge }: Pick<World, 'bridge'>, { destinationId }: Pick<Connection, 'destinationId'>, why: Paused): Promise<void> {
  await bridge.app.core.destinations.pause({ destinationId, shopId: null, callType: 'records', ...why }, () => HOUR_MS);
  const since = performance.now();
  await until(() => performance.now() - since > KNOWN_AFTER_MS, { what: 'the pause to be known' });
}
