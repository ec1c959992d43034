import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sealedJson } from '../../../../src/bridge/ledger/sealed-json.ts';
import { UnreadableRow } from '../../../../src/platform/postgres/unreadable-row.ts';
import { sealer } from '../../../../src/platform/seal.ts';

const sealing = sealer(randomBytes(32));
const row = z.object({ secret: sealedJson(sealing, z.array(z.string())) });

test('sealed content that is not JSON is a fault that quotes none of it', () => {
  const { error } = row.safeParse({ secret: sealing.seal('hunter2 is the secret') });

  expect(JSON.stringify(error)).not.toContain('hunter2');
  expect(error && new UnreadableRow('connections', { id: 'shop' }, error).message).toBe('a row of connections (id shop) can’t be read: secret: custom');
});

test('a wrong key is told in words', () => {
  expect(() => row.safeParse({ secret: sealer(randomBytes(32)).seal('["a"]') })).toThrow('ENCRYPTION_KEY');
});
