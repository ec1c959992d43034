import { expect, test } from 'vitest';
import { createBodyReader } from '../../../src/app/receiver.ts';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';

test('a body that its process does not survive, and the next one is read', async () => {
  const read = createBodyReader({ file: new URL('../../support/worlds/dying-body-process.ts', import.meta.url).href, withinMs: 60_000 });
  const body = (text: string) => ({ storefront: standard, envelope: { topic: '', deliveryId: null, store: null }, body: Buffer.from(text.padEnd(70_000)) });

  const [died, lived] = await Promise.all([read(body('die')), read(body('live'))]);

  expect(died?.normalized).toMatchObject({ kind: 'unreadable', problems: [{ detail: expect.stringContaining('record the order by hand') }] });
  expect(lived?.normalized).toEqual({ kind: 'ignored', why: 'it lives' });
});
