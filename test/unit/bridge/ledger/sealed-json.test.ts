import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openJson } from '../../../../src/bridge/ledger/json-columns.ts';
import { UnreadableRow } from '../../../../src/platform/postgres/unreadable-row.ts';
import { sealer } from '../../../../src/platform/seal.ts';

const sealing = sealer(randomBytes(32));
const place = { table: 'connections', column: 'secret', id: 'shop' };
const row = z
  .object({ secret: z.string() })
  .transform(({ secret: sealed }, context) => openJson({ sealer: sealing, sealed, place }, z.array(z.string()), context));

test.for<[string, string, string]>([
  ['not JSON', 'hunter2 is the secret', 'secret: custom'],
  ['other JSON than expected', '[{"hunter2":"hunter2"}]', 'secret.0: custom'],
])('sealed content that is %s is a fault that quotes none of it', ([_what, content, fault]) => {
  const { error } = row.safeParse({ secret: sealing.seal(content, place) });

  expect(JSON.stringify(error)).not.toContain('hunter2');
  expect(error && new UnreadableRow('connections', { id: 'shop' }, error).message).toBe(`a row of connections (id shop) can’t be read: ${fault}`);
});

test('a wrong key is told in words', () => {
  expect(() => row.safeParse({ secret: sealer(randomBytes(32)).seal('["a"]', place) })).toThrow('ENCRYPTION_KEYS');
});
