import { expect, test } from 'vitest';
import { formOf } from '../support/console/form-of.ts';
import { startMonthsWorld } from '../support/console/months-world.ts';
import { signIn } from '../support/console/signed-in.ts';
import { walked } from '../support/console/walked.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();

/** What is called so in Bulgarian, too: products, formats, names that programs give. */
const TERMS =
  'orderbridge|CSV|XML|API|HTTP|SHA-256|JSON|Idempotency-Key|Redis|PostgreSQL|PayPal|Stripe|ePay|IE3206488LH|client (?:id|secret)|example-secret|automaticReceipts|UTC|Aegis|(?:Google|Microsoft) Authenticator|1Password|Bitwarden';
/** In the brackets after the words of a choice, and after „обичайно“. */
const CODES = '\\((?:[A-Z_]{3,}|[a-z]+)\\)';
/** The platforms, the languages, and anyone who acted by a command. */
const NAMES = 'woocommerce|shopify|standard|English|cli:\\w+@[\\w.-]+|cli:\\w+|[\\w.-]+@[\\w.]+';
const VALUES = 'https?:\\/\\/[^\\s„“]+|\\b[\\w-]+\\.(?:example|xml)\\b|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|c_[0-9a-f]{24}';
/** What a store sent with a webhook. */
const SENT = 'msg_[0-9a-f-]{36}|^(?:paid|application\\/json|node)$';
/** In a column of its own, beside its words, in the summary as it is mailed; and the end of a key. */
const BESIDE = '^payment\\.unmapped$|…\\w+';
const ANY = new RegExp([TERMS, CODES, NAMES, VALUES, SENT, BESIDE, '\\b(?:Corner|econt_pay|borica_pos|Sofia)\\b'].join('|'), 'g');

async function orders({ bridge }: World): Promise<string> {
  const connected = await bridge.connect({ name: 'Corner' });
  await bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'econt_pay' } }) });
  await bridge.send(connected, 'order.paid', { order: orderOf('2', { payment: { method: 'borica_pos' } }) });
  await bridge.send(connected, 'order.paid', { order: orderOf('3') });
  await bridge.send(connected, 'order.paid', { order: 'none' });
  await bridge.send({ ...connected, secret: 'another' } as typeof connected, 'order.paid', { order: orderOf('4') });
  await bridge.settled(connected, '1', 'review');
  const { id } = await bridge.settled(connected, '2', 'review');
  await bridge.settled(connected, '3', 'recorded');
  return `/console/orders/${id}`;
}

test('on pages for somebody who reads Bulgarian nothing is English but names, codes and what others said', async () => {
  await using it = await world();
  const order = await orders(it);
  const maria = await signIn(it.bridge, { lang: 'bg' });
  const resolved = await maria.post(`${order}/resolve`, { ...formOf((await maria.get(order)).text, `${order}/resolve`), how: 'elsewhere', note: 'На касата.' });

  const { kinds, english } = await walked(maria, ['/console', '/console/nowhere'], ANY);

  expect(resolved.status).toBe(303);
  expect(kinds).toEqual(
    expect.arrayContaining([
      '/console/orders/*',
      '/console/stores/*',
      '/console/stores/*/settings',
      '/console/stores/*/keys',
      '/console/review/*',
      '/console/people/*',
    ]),
  );
  expect(english).toEqual([]);
});

test('nor on pages of months', async () => {
  await using it = await world();
  await using months = await startMonthsWorld(it);
  const october = await months.october({ name: 'Чаши' });
  await october.make();
  await october.reportThree();
  await october.make();
  const maria = await months.enter({ lang: 'bg' });

  const { kinds, english } = await walked(maria, ['/console/months', october.path], ANY);

  expect(kinds).toEqual(expect.arrayContaining(['/console/months', '/console/months/*/*-*']));
  expect(english).toEqual([]);
});
