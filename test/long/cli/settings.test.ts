import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import type { Program } from '../../support/servers/program.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { type CliWorld, startCliWorld } from '../../support/worlds/cli-world.ts';

const secret = `whsec_${'A'.repeat(43)}=`;

let world: CliWorld;
let program: Program;
let name: string;
let store: { connectionId: string; webhookUrl: string };

beforeAll(async () => {
  world = await startCliWorld();
  ({ program } = world);
  await program.start();
  await program.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z', transactionWaitSeconds: 0 });
});

afterAll(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS, '--domain', `s${randomUUID()}.example`])).trim();
  name = `Shop ${shop.slice(0, 8)}`;
  const args = ['connect', '--platform', 'standard', '--name', name, '--secret', secret, '--compliance-shop', shop, '--settings', 'settings.json'];
  store = await program.json(args);
});

async function sendUnmapped(ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const order = orderOf(String(id), { payment: { method: 'barter' }, createdAt: new Date().toISOString(), paidAt: new Date().toISOString() });
    const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
    await fetch(store.webhookUrl, { method: 'POST', body, headers: standardHeaders(secret, body) });
  }
  await program.ok(['drain']);
}

const stored = () => program.json<object>(['settings', store.connectionId]);

test('settings shows each with its path, and those that have their default', async () => {
  await program.ok(['settings', store.connectionId, '--set', 'vatGroups.9=GROUP_D', '--set', 'payments.my.bank.paymentType=OTHER']);

  const shown = await program.ok(['settings', name]);

  expect(shown).toMatch(/^vatGroups\.9 = GROUP_D$/m);
  expect(shown).toMatch(/^payments\.my\.bank\.paymentType = OTHER$/m);
  expect(shown).toMatch(/^transactionWaitSeconds = 0$/m);
  expect(shown).toMatch(/^unknownOutcome = ask {2}\(default\)$/m);
  expect(shown).toMatch(/^pricesContainVat = null {2}\(default\)$/m);
  expect(await stored()).toEqual({
    recordFrom: '2020-01-01T00:00:00Z',
    transactionWaitSeconds: 0,
    vatGroups: { '9': 'GROUP_D' },
    payments: { 'my.bank': { paymentType: 'OTHER' } },
  });
});

test('a change prints the difference and the command that undoes it', async () => {
  await program.ok(['settings', store.connectionId, '--set', 'payments.a b.paymentType=OTHER', '--set', 'freeOrders=record', '--set', 'pricesContainVat=20']);
  const before = await stored();
  const flags = ['--set', 'payments.a b.paymentType=BANK_TRANSFER', '--unset', 'pricesContainVat', '--unset', 'freeOrders', '--set', 'receipts=true'];

  const said = await program.ok(['settings', store.connectionId, ...flags]);

  expect(said).toContain('payments."a b".paymentType: OTHER → BANK_TRANSFER');
  expect(said).toContain('pricesContainVat: "20" → (not set)');
  expect(said).toContain('receipts: (not set) → true');
  await program.ok(undoIn(said));
  expect(await stored()).toEqual(before);
});

test('the command that undoes it takes out a payment method that was new', async () => {
  await program.ok(['settings', store.connectionId, '--set', 'vatGroups.9=GROUP_D']);
  const before = await stored();
  const flags = ['--set', 'payments."new one".paymentType=PAYMENT_PROCESSOR', '--set', 'payments."new one".paymentProcessorName=Bank'];

  const said = await program.ok(['settings', store.connectionId, ...flags, '--set', 'payments.other.paymentType=OTHER']);

  await program.ok(undoIn(said));
  expect(await stored()).toEqual({ ...before, payments: {} });
});

test('a payment type that our service does not have is refused where it is given', async () => {
  const before = await stored();
  await program.writeJson('typo.json', { payments: { econt_pay: { paymentType: 'POSTAL' } } });
  const flags = ['--platform', 'standard', '--name', 'x', '--secret', secret, '--compliance-shop', randomUUID(), '--settings', 'typo.json'];

  for (const args of [
    ['settings', store.connectionId, '--set', 'payments.econt_pay.paymentType=POSTAL'],
    ['settings', store.connectionId, 'typo.json'],
    ['reconnect', store.connectionId, '--settings', 'typo.json'],
    ['connect', ...flags],
  ])
    expect(await program.run(args)).toMatchObject({ code: 1, err: expect.stringMatching(/econt_pay\.paymentType is POSTAL.*did you mean POSTAL_PAYMENT\?/) });

  expect(await stored()).toEqual(before);
});

test('what is not right is said in words, with what was probably meant', async () => {
  const said = async (...args: string[]) => (await program.run(args)).err;

  expect(await said('settings', store.connectionId, '--set', 'recordFrm=x')).toContain('recordFrm is not known; did you mean recordFrom?');
  expect(await said('settings', store.connectionId, '--set', 'recordFrom=2026-12-01')).toContain(
    'recordFrom must be a time with its zone, such as 2026-12-01T00:00:00+02:00',
  );
  expect(await said('settings', store.connectionId, '--unset', 'freeOrders')).toContain('freeOrders is not set');
  expect(await said('settings', store.connectionId, 'settings.json', '--set', 'freeOrders=record')).toContain('give a FILE');
  expect(await said('settings', `${store.connectionId.slice(0, -1)}x`)).toContain(`did you mean ${store.connectionId}?`);
  expect(await said('release', '--code', 'payment.unmap')).toContain('did you mean payment.unmapped?');
  expect(await said('release', '--code', 'payment.unmapped', '--connection', 'nowhere')).toContain('no connection has the id');
  expect(await said('relaese')).toContain('Did you mean release?');
});

test('of more than 20 orders one goes first, and what stays in review is said with why', async () => {
  await sendUnmapped(Array.from({ length: 21 }, (_, i) => i + 1));

  const { code, out, err } = await program.run(['release', '--code', 'payment.unmapped', '--connection', name]);

  expect({ code, out }).toEqual({
    code: 1,
    out: `3 orders that were in review as payment.unmapped are decided again: 3 of ${name} (${store.connectionId}).\n`,
  });
  // They are recorded in any order.
  expect(err).toMatch(/^Order #\d+ goes first; waiting/m);
  expect(err).toMatch(
    new RegExp(
      `18 more orders of ${store.connectionId} \\(payment\\.unmapped\\) stay in review: the order #\\d+ went first and is in review as payment\\.unmapped`,
    ),
  );
  expect(err).toContain(`\`orderbridge release --code payment.unmapped --connection ${store.connectionId}\` goes on`);
  expect(await program.ok(['settings', name])).toContain('Orders in review that settings may cure: 21 as payment.unmapped');

  const mapped = await program.run(['settings', name, '--set', 'payments.barter.paymentType=OTHER', '--why', 'agreed']);
  await program.ok(['drain']);

  expect(mapped).toMatchObject({
    code: 0,
    out: expect.stringMatching(/are changed; 21 orders in review are decided again[\s\S]*decided otherwise now: in review: 21 as payment\.unmapped\./),
    err: expect.stringContaining('goes first'),
  });
  expect(await program.json(['orders', '--connection', store.connectionId, '--state', 'recorded'])).toHaveLength(21);
});

test('all at once none goes first, and --json lists what was changed', async () => {
  await sendUnmapped(Array.from({ length: 21 }, (_, i) => i + 1));

  const { code, out, err } = await program.run(['release', '--code', 'payment.unmapped', '--connection', store.connectionId, '--all-at-once']);

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('21 orders that were in review');
  await program.ok(['drain']);
  expect(await program.json(['settings', name, '--set', 'payments.barter.paymentType=OTHER'])).toMatchObject({
    connectionId: store.connectionId,
    difference: [{ path: 'payments.barter.paymentType', after: 'OTHER' }],
    concerned: { review: { 'payment.unmapped': 21 }, ignored: 0, waiting: 0 },
    warnings: [],
    released: 21,
    notReleased: [],
  });
});

test('an order paid in the very second in which its store is connected is taken: most stores tell no parts of a second', async () => {
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS, '--domain', `s${randomUUID()}.example`])).trim();

  const { recordFrom } = await program.json<{ recordFrom: string }>([
    'connect',
    '--platform',
    'standard',
    '--name',
    'x',
    '--secret',
    secret,
    '--compliance-shop',
    shop,
  ]);

  expect(new Date(recordFrom).getMilliseconds()).toBe(0);
});

/** The words of the printed command after `orderbridge`. */
function undoIn(said: string): string[] {
  const undo = /^To undo it: orderbridge (.+)$/m.exec(said)?.[1] ?? '';
  return [...undo.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
