import { expect, test } from 'vitest';
import { z } from 'zod';
import { grantedTokens } from '../../../../src/bridge/ledger/connections/store-tokens.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import type { AccessToken } from '../../../../src/bridge/storefronts/contract.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sealer } from '../../../../src/platform/seal.ts';
import { useCalledStores } from '../../../support/worlds/called-stores.ts';
import { inHours, keptTokens, never, pair, slowly } from '../../../support/worlds/kept-tokens.ts';

const stores = useCalledStores();
const { access, newConnection } = keptTokens(stores);

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

test('a token is sealed, bound to its credentials, made anew with others or if it was changed, and waited for while its key may come', async () => {
  const { id, make, process } = await newConnection();
  await process().token(async () => ({ token: 'shpat_plain', expiresAt: null, refreshToken: 'shprt_plain' }));
  const row = rowsOf('store_tokens', z.object({ token: z.string(), holder: z.string().nullable() }));
  const stored = await readOne(stores.pool(), row, { text: 'select token, holder from store_tokens where connection_id = $1', values: [id] });

  expect(stored).toEqual({ token: expect.stringMatching(/^v1\./), holder: null });
  expect(stored.token).not.toContain('plain');
  expect(await process().token(make())).toBe('shpat_plain');
  expect(await process(7, { ...access, clientSecret: 'another' }).token(make())).toBe('made 1');
  await expect(process(8).token(make())).rejects.toThrow('none of ENCRYPTION_KEYS');
  await stores.pool().query(`update store_tokens set token = overlay(token placing 'AAAA' from 30) where connection_id = $1`, [id]);
  expect(await process().token(make())).toBe('made 2');
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
  await stores.pool().query(`update store_tokens set holder = gen_random_uuid(), lease_until = now() + interval '300 ms' where connection_id = $1`, [id]);

  expect(await process().token(make(), 'made 1')).toBe('made 2');
});

test('a pair is kept whole, with both ends', async () => {
  const { process } = await newConnection();
  const seen: (AccessToken | null)[] = [];
  const first = pair(1);
  await process().keep(first);

  expect(await process().token(never)).toBe('shpat_1');
  await process().token(async (before) => {
    seen.push(before);
    return pair(2);
  }, 'shpat_1');
  expect(seen).toEqual([first]);
  expect(await process().token(never)).toBe('shpat_2');
});

test('a process whose lease was taken over neither stores nor uses what it got', async () => {
  const { process } = await newConnection();
  await process().keep(pair(0));
  const { make, begun, made } = slowly();
  const late = process(7, access, 50).token(make, 'shpat_0');
  await begun;
  expect(await process().token(async () => pair(1), 'shpat_0')).toBe('shpat_1');
  made.resolve(pair(9));

  expect(await late).toBe('shpat_1');
  expect(await process().token(never)).toBe('shpat_1');
});

test('a refusal is believed only of the process that holds', async () => {
  const { process } = await newConnection();
  await process().keep(pair(0));
  const { make, begun, made } = slowly();
  const late = process(7, access, 50).token(make, 'shpat_0');
  await begun;
  await process().token(async () => pair(1), 'shpat_0');
  made.reject(new Failure('storefront.refused', 'used by another one'));

  expect(await late).toBe('shpat_1');
});

test('what a merchant grants anew replaces what is being renewed meanwhile', async () => {
  const { process } = await newConnection();
  await process().keep(pair(0));
  const { make, begun, made } = slowly();
  const renewing = process().token(make, 'shpat_0');
  await begun;
  await process().keep(pair(5));
  made.resolve(pair(1));

  expect(await renewing).toBe('shpat_5');
  expect(await process().token(never)).toBe('shpat_5');
});

test('no connection of the pool is held while a token is made', async () => {
  const { process } = await newConnection();
  const { make, begun, made } = slowly();
  const making = process().token(make);
  await begun;
  const busy = await readOne(stores.pool(), rowsOf('pg_stat_activity', z.object({ count: z.int() })), {
    text: `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'`,
  });
  made.resolve(pair(1));

  expect(busy.count).toBe(0);
  expect(await making).toBe('shpat_1');
});

test('tokens that something renews are listed with their age, of live connections alone', async () => {
  const { id, make, process } = await newConnection();
  const listed = async (key = 7) => (await grantedTokens(stores.pool(), sealer(Buffer.alloc(32, key)))).filter(({ connectionId }) => connectionId === id);
  await process().token(make());
  expect(await listed()).toEqual([]);
  await process().keep(pair(1));
  const [known] = await listed();

  expect(known).toMatchObject({ connectionId: id, token: 'shpat_1' });
  expect(Date.now() - Date.parse(known?.madeAt ?? '')).toBeLessThan(60_000);
  expect(await listed(8)).toEqual([]);
  await stores.pool().query('update connections set closed_at = now() where id = $1', [id]);
  expect(await listed()).toEqual([]);
});
