import { documentNumbersNotRead } from '../bridge/bridge-events.ts';
import type { RecordReader } from '../bridge/client/port.ts';
import type { RecordOfOrder } from '../bridge/intake/receipt-links.ts';
import { limitConcurrency } from '../platform/limit-concurrency.ts';
import type { Log } from '../platform/log.ts';
import type { Endpoints } from './gateway.ts';

type Deps = { client: Pick<RecordReader, 'readRecord'>; endpoints: Endpoints; log: Log };

/** The document numbers of these orders, by their ids in the ledger, without those that could not be had. */
export type DocumentNumbers = (orders: readonly RecordOfOrder[], signal: AbortSignal) => Promise<ReadonlyMap<number, string>>;

/** Of all requests together: recording goes before. */
const AT_ONCE = 4;
const MOST_WAITING = 1_000;

/** One record of each destination is read before the others: if it fails, or its service lists none, they are not asked for. */
export function openDocumentNumbers({ client, endpoints, log }: Deps): DocumentNumbers {
  const inTurn = limitConcurrency({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING });

  return async (orders, signal) => {
    const numbers = new Map<number, string>();
    const silent = new Set<string>();
    const recorded = orders.flatMap(({ orderRef, complianceId, destinationId }) =>
      complianceId === null || destinationId === null ? [] : [{ orderRef, complianceId, destinationId }],
    );
    const firsts = new Set(new Map(recorded.map((one) => [one.destinationId, one])).values());

    async function read({ orderRef, complianceId, destinationId }: (typeof recorded)[number]): Promise<void> {
      if (silent.has(destinationId)) return;
      const record = await client.readRecord(await endpoints(destinationId), complianceId, signal);
      if (record === 'not-listed') silent.add(destinationId);
      else if (record !== null) numbers.set(orderRef, record.documentNumber);
    }
    async function tryOne(one: (typeof recorded)[number]): Promise<void> {
      try {
        await inTurn(() => read(one));
      } catch (err) {
        if (!silent.has(one.destinationId)) documentNumbersNotRead(log, { destinationId: one.destinationId, err });
        silent.add(one.destinationId);
      }
    }

    await Promise.all([...firsts].map(tryOne));
    await Promise.all(recorded.filter((one) => !firsts.has(one)).map(tryOne));
    return numbers;
  };
}
