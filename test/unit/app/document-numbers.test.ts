import { expect, test } from 'vitest';
import { openDocumentNumbers } from '../../../src/app/document-numbers.ts';
import type { ListedRecord, RecordReader } from '../../../src/bridge/client/port.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { createLog } from '../../../src/platform/log.ts';

const order = (orderRef: number, destinationId: string) => ({ orderRef, destinationId, complianceId: `${destinationId}-${orderRef}` });
const open = new AbortController().signal;

/** What a service answers for a record; it is asked by a client that counts. */
function numbersOf(answer: (complianceId: string, signal?: AbortSignal) => Promise<string | null>) {
  const asked: string[] = [];
  const lines: string[] = [];
  const running = { now: 0, most: 0 };
  const client: Pick<RecordReader, 'readRecord'> = {
    async readRecord(_endpoint, id, signal) {
      asked.push(id);
      running.most = Math.max(running.most, ++running.now);
      const documentNumber = await answer(id, signal).finally(() => running.now--);
      return documentNumber === 'not-listed' ? 'not-listed' : documentNumber === null ? null : ({ documentNumber } as ListedRecord);
    },
  };
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(line) } });
  const endpoints = async () => ({ baseUrl: 'https://tax.example', apiKey: 'k', apiSecret: 's', dialect: embeddedDialect });
  return { asked, lines, running, numbers: openDocumentNumbers({ client, endpoints, log }) };
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a hundred records are read a few at a time, for all requests together', async () => {
  const { running, numbers } = numbersOf(async (id) => {
    await soon();
    return `00${id}`;
  });
  const orders = Array.from({ length: 100 }, (_, at) => order(at, 'd'));

  const [one, other] = await Promise.all([numbers(orders, open), numbers(orders, open)]);

  expect([one.size, other.size, one.get(7), running.most]).toEqual([100, 100, '00d-7', 4]);
});

test('a service that lists nothing is asked for one record, and one that fails for none after it, which is logged once', async () => {
  const { asked, lines, numbers } = numbersOf(async (id) => {
    if (id.startsWith('down')) throw new Error('no answer');
    return id.startsWith('other') ? 'not-listed' : id === 'own-1' ? null : '12';
  });
  const orders = [1, 2, 3].flatMap((at) => [order(at, 'own'), order(10 + at, 'other'), order(20 + at, 'down')]);

  const found = await numbers([...orders, { orderRef: 30, complianceId: null, destinationId: null }], open);

  expect(Object.fromEntries(found)).toEqual({ 2: '12', 3: '12' });
  expect(asked.filter((id) => !id.startsWith('own'))).toHaveLength(2);
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ event: 'document-numbers.not-read', destinationId: 'down' })]);
});

test('after the time is over nothing more is asked', async () => {
  const time = new AbortController();
  const { asked, numbers } = numbersOf(async (id, signal) => {
    if (id === 'd-9') return '9';
    time.abort();
    signal?.throwIfAborted();
    return '1';
  });

  const found = await numbers(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => order(at, 'd')),
    time.signal,
  );

  expect([...found.keys()]).toEqual([9]);
  expect(asked.length <= 5).toBe(true);
});
