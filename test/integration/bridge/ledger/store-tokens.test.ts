import { expect, test } from 'vitest';
import { z } from 'zod';
import { createStoreTokens } from '../../../../src/bridge/ledger/store-tokens.ts';
import { Failure } from '../../../../src/bridge/order/failure.ts';
import type { AccessToken } from '../../../../src/bridge/storefronts/contract.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sealer } from '../../../../src/platform/seal.ts';
import { useCalledStores } from '../../../support/worlds/called-stores.ts';

const stores = useCalledStores();
const access = { url: 'https://corner.example', clientId: 'id', clientSecret: 'secret' };
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** The tokens of a new connection as one process has them, and how many were made. */
async function newConnection() {
  const { connectionId: id } = await stores.newStore();
  const made: (AccessToken | null)[] = [];
  const make =
    (expiresAt: string | null = inHours(24)) =>
    async (before: AccessToken | null) => {
      made.push(before);
      return { token: `made ${made.length}`, expiresAt };
    };
  const process = (key = 7, own = access) => createStoreTokens(stores.pool(), sealer(Buffer.alloc(32, key)))({ id, access: own });
  return { id, made, make, process };
}

test('one token is made, whichever process needs it', async () => {
  const { made, make, process } = await newConnection();

  expect(await process().token(make())).toBe('made 1');
  expect(await process().token(make())).toBe('made 1');
  expect(made).toEqual([null]);
});

test('many processes that need one at once wait for one of them', async () => {
  const { made, make, process } = await newConnection();
  const gate = Promise.withResolvers<void>();
  const slow = async (before: AccessToken | null) => {
    await gate.promise;
    return make()(before);
  };
  const tokens = Array.from({ length: 5 }, () => process().token(slow));
  gate.resolve();

  expect(new Set(await Promise.all(tokens))).toEqual(new Set(['made 1']));
  expect(made).toHaveLength(1);
});

test('a token is made anew from the old one if it ends soon, or is refused; one that another process has renewed since is not', async () => {
  const { made, make, process } = await newConnection();
  await process().token(make(inHours(0.05)));
  expect(await process().token(make(null))).toBe('made 2');
  expect(made[1]).toMatchObject({ token: 'made 1' });
  expect(await process().token(make(), 'made 2')).toBe('made 3');
  expect(await process().token(make(), 'made 2')).toBe('made 3');
});

test('a token is sealed, bound to its credentials, and made anew with another key or other credentials', async () => {
  const { id, make, process } = await newConnection();
  await process().token(async () => ({ token: 'shpat_plain', expiresAt: null, refreshToken: 'shprt_plain' }));
  const row = rowsOf('store_tokens', z.object({ token: z.string(), holder: z.string().nullable() }));
  const stored = await readOne(stores.pool(), row, { text: 'select token, holder from store_tokens where connection_id = $1', values: [id] });

  expect(stored).toEqual({ token: expect.stringMatching(/^v2\./), holder: null });
  expect(stored.token).not.toContain('plain');
  expect(await process().token(make())).toBe('shpat_plain');
  expect(await process(7, { ...access, clientSecret: 'another' }).token(make())).toBe('made 1');
  expect(await process(8).token(make())).toBe('made 2');
});

test('what renews a token is handed on', async () => {
  const { made, make, process } = await newConnection();
  await process().token(async () => ({ token: 'a', expiresAt: null, refreshToken: 'r' }));
  await process().token(make(), 'a');

  expect(made).toEqual([{ token: 'a', expiresAt: null, refreshToken: 'r' }]);
});

test('a token that can’t be made keeps nobody from trying again; a process that died while it made one, not for long', async () => {
  const { id, make, process } = await newConnection();
  await expect(process().token(() => Promise.reject(new Failure('storefront.refused', 'no')))).rejects.toThrow('storefront.refused: no');
  expect(await process().token(make())).toBe('made 1');
  await stores.pool().query(`update store_tokens set holder = gen_random_uuid(), held_until = now() + interval '300 ms' where connection_id = $1`, [id]);

  expect(await process().token(make(), 'made 1')).toBe('made 2');
});
