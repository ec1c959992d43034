import { expect, test } from 'vitest';
import { lookUpRecord } from '../../../../src/bridge/client/look-up-record.ts';
import { lostDelete } from '../../../support/attempts/situations.ts';
import { answering, clientWith, endpointAt, ID, serverThat } from '../../../support/worlds/compliance-client.ts';

const query = { shopId: ID, month: '2026-10', after: null };

async function listing(body: unknown) {
  const server = await serverThat(answering(200, JSON.stringify(body)));
  return clientWith().listRecords(endpointAt(server.url), query);
}

test('a record that can’t be read is a failure that names it, never a service that lists none', async () => {
  await expect(listing({ items: [{ id: 'r-7', documentNumber: 7 }], next: null })).rejects.toMatchObject({
    code: 'compliance.unreachable',
    message: expect.stringContaining('lists r-7, which can’t be read here'),
  });
  await expect(listing({ items: [7], next: null })).rejects.toThrow('something without an id');
});

test('a service that answers in another way lists none', async () => {
  expect(await listing({ orders: [] })).toBe('not-listed');
  expect(await listing({ items: [], next: null })).toEqual({ items: [], next: null });
});

test('the lost delete of a service that answers 404 to whatever is read is not taken for done', async () => {
  const server = await serverThat(answering(404, JSON.stringify({ type: 'https://service.example/problems/not-found' })));
  const looked = await lookUpRecord(clientWith(), endpointAt(server.url), { step: lostDelete, shopId: ID });

  expect(looked).toEqual({ is: 'hidden' });
});
