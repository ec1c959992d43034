import { expect, test } from 'vitest';
import { actsIn } from '../../support/console/acts-in.ts';
import { formOf } from '../../support/console/form-of.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const GATEWAY = 'borica<i>"pos"';

async function inReviewBy(it: World, connected: Connected, id: string): Promise<void> {
  await it.bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: GATEWAY } }) });
  await it.bridge.settled(connected, id, 'review');
}

/** The settings form with a type for the payment method that has none. */
async function mapped(browser: SignedInBrowser, path: string, type: string): Promise<Record<string, string[]>> {
  const fields = formOf((await browser.get(path)).text, path);
  return { ...fields, type: (fields['gateway'] ?? []).map((gateway, i) => (gateway === GATEWAY ? type : (fields['type']?.[i] ?? ''))) };
}

test('settings: the effect is shown first and nothing is changed; then they are saved, the order that waited is recorded, and the audit log has it', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await inReviewBy(it, connected, '1043');
  const browser = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/stores/${connected.connection.id}/settings`;
  const fields = { ...(await mapped(browser, path, 'BANK_TRANSFER')), why: 'said <b>Мария' };

  const preview = await browser.post(path, { ...fields, step: 'preview' });

  expect(preview.status).toBe(200);
  expect(preview.text).toContain('1 in review, 0 ignored and 0 unpaid order will be decided again.');
  expect(preview.text).toMatch(/borica&lt;i&gt;.*paymentType<\/code>.*not set.*BANK_TRANSFER/s);
  expect(await actsIn(it.bridge.pool)).toEqual([]);

  const back = await browser.post(path, { ...formOf(preview.text, path), step: 'edit' });
  expect(back.text).toContain('value="BANK_TRANSFER" selected');

  const saved = await browser.post(path, { ...formOf(preview.text, path), step: 'save' });
  expect(saved).toMatchObject({ status: 303, location: `/console/stores/${connected.connection.id}?done=settingsSaved` });
  await it.bridge.settled(connected, '1043', 'recorded');
  const acts = (await actsIn(it.bridge.pool)).filter(({ act }) => act === 'settings.changed');
  expect(acts).toMatchObject([{ who: `person:${browser.person.id}`, why: 'said <b>Мария' }]);
  // What was written is what it was, but for the new mapping.
  expect(acts[0]?.after).toEqual({
    ...Object(acts[0]?.before),
    payments: { ...Object(acts[0]?.before)['payments'], [GATEWAY]: { paymentType: 'BANK_TRANSFER' } },
  });
});

test('settings that are not right keep what was typed, and those of a stale form show both values; nothing is changed', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const { id } = connected.connection;
  const browser = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/stores/${id}/settings`;
  const fields = formOf((await browser.get(path)).text, path);

  const wrong = await browser.post(path, { ...fields, 's.ratePerSecond': 'many<i>', rate: ['nine'], group: ['GROUP_D'], step: 'save' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('ratePerSecond must be');
  expect(wrong.text).toContain('value="many&lt;i&gt;"');
  expect((await browser.post(path, { ...fields, 's.quietSeconds': '-4', step: 'preview' })).status).toBe(422);

  await it.bridge.app.core.connections.changeSettings(id, { by: 'cli:other@host', edit: ({ settings }) => ({ ...settings, receipts: true }) });
  const stale = await browser.post(path, { ...fields, 's.giftCards': 'record', step: 'save' });
  expect(stale.status).toBe(409);
  expect(stale.text).toMatch(/What you saw.*giftCards: record.*What it is now.*receipts: true/s);
  expect(await actsIn(it.bridge.pool)).toMatchObject([{ who: 'cli:other@host' }]);
});
