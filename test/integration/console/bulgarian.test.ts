import { expect, test } from 'vitest';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const EVIL = '<img src=x onerror=alert(1)>';

test('somebody who reads Bulgarian is told in Bulgarian why orders wait, and why something can’t be done', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: EVIL } }) });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const other = await it.bridge.settled(connected, '2', 'recorded');
  const maria = await signIn(it.bridge, { lang: 'bg' });
  const why = 'Начинът на плащане „&lt;img src=x onerror=alert(1)&gt;“ няма вид.';

  const today = (await maria.get('/console')).text;
  expect(today).toContain('1 поръчка за проверка: „&lt;img src=x onerror=alert(1)&gt;“ няма вид плащане.');
  expect(today).not.toContain('<img');

  const list = (await maria.get('/console/orders?state=review')).text;
  expect(list).toContain(why);
  expect(list).toContain('за проверка');
  expect(list).toContain('Услугата за отчитане отказа записа.');
  expect(list).not.toContain('<img');

  const order = (await maria.get(`/console/orders/${id}`)).text;
  expect(order).toContain(`Не е записана: ${why}`);
  expect(order).toContain('Изпратена за ръчна проверка.');
  expect(order).not.toMatch(/has no type|waits for a person/);

  const group = /href="(\/console\/review\/[\w-]{16})"/.exec((await maria.get('/console/review')).text)?.[1] ?? '';
  expect((await maria.get(group)).text).toContain('<h1>„&lt;img src=x onerror=alert(1)&gt;“ няма вид плащане</h1>');

  const recorded = (await maria.get(`/console/orders/${other.id}`)).text;
  const seen = /name="seen" value="([^"]+)"/.exec(recorded)?.[1] ?? '';
  const refused = await maria.post(`/console/orders/${other.id}/release`, { seen });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Това не може да се направи');
  expect(refused.text).toContain(`поръчка id:${other.id} не е за проверка (записана): няма какво да се опитва отново`);
  expect(refused.text).not.toContain('nothing to release');
});

test('the same refusal is English for somebody who reads English', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
  const { id } = await it.bridge.settled(connected, '2', 'recorded');
  const john = await signIn(it.bridge);
  const seen = /name="seen" value="([^"]+)"/.exec((await john.get(`/console/orders/${id}`)).text)?.[1] ?? '';

  const refused = await john.post(`/console/orders/${id}/release`, { seen });

  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`the order id:${id} is recorded, not in review: there is nothing to release`);
});
