import { expect, test } from 'vitest';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { pending } from '../../support/worlds/due-ledger.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** One order is recorded, one waits for a person. */
async function busy(it: World): Promise<void> {
  const connected = await it.bridge.connect({ name: 'Corner <b>shop</b>' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1041') });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042', { payment: { method: 'econt_pay' } }) });
  await until(async () => (await it.bridge.order(connected, '1041'))?.state === 'recorded', { what: 'the first to be recorded' });
  await until(async () => (await it.bridge.order(connected, '1042'))?.state === 'review', { what: 'the second to be sent to review' });
}

test('without a store it leads those to the invitations who may invite', async () => {
  await using it = await world();
  const { text } = await (await signIn(it.bridge)).get('/console');
  const ofViewer = (await (await signIn(it.bridge, { role: 'viewer' })).get('/console')).text;

  expect(text).toMatch(/No store is connected yet.*href="\/console\/stores\/invitations"/);
  expect(ofViewer).toContain('No store is connected yet');
  expect(ofViewer).not.toContain('/console/stores/invitations');
  expect(text).not.toContain('<code>');
});

test('each thing that needs somebody has its sum and its verb; names are escaped', async () => {
  await using it = await world();
  await busy(it);
  const browser = await signIn(it.bridge);
  // What became of webhooks is written every few seconds.
  await until(async () => (await browser.get('/console')).text.includes('Corner'), { what: 'the last webhook' });
  const { text } = await browser.get('/console');

  expect(text).toMatch(/<title>\(\d+!?\) Today – orderbridge<\/title>/);
  expect(text).toContain('1 order in review: “econt_pay” has no payment type.');
  // What is worst is the headline, in its own words: here that the database of tests writes nothing through.
  expect(text).toMatch(/<h2>PostgreSQL \S+ with fsync off: a power cut destroys the ledger<\/h2>/);
  expect(text).not.toContain('payment.unmapped');
  expect(text).toContain('href="/console/review">Review</a>');
  // One of them is the thing to press.
  expect([...text.matchAll(/<a class="verb" /g)]).toHaveLength(1);
  expect(text).toMatch(/Needs review<\/a><\/h2><p class="figure">1<\/p>/);
  expect(text).toMatch(/Recorded today<\/a><\/h2><p class="figure">1<\/p><p class="soft">€[\d.]+, as recorded then</);
  expect(text).toContain('Corner &lt;b&gt;shop&lt;/b&gt;');
  expect(text).not.toContain('<b>shop');
  expect(text).toContain('<a href="/console/live">Watch events as they happen</a>');
  // Only where there are boxes.
  expect(text).not.toContain('selects the row');
  expect((await browser.get('/console/orders?state=review')).text).toContain('selects the row');
});

test('in Bulgarian it says what each code means', async () => {
  await using it = await world();
  await busy(it);
  const { text } = await (await signIn(it.bridge, { lang: 'bg' })).get('/console');

  expect(text).toContain('1 поръчка за проверка: „econt_pay“ няма вид плащане.');
  expect(text).toContain('<h2>Настройките на PostgreSQL могат да загубят записаното.</h2>');
  // What the headline says whole, it says alone; English is folded, where nothing else says why.
  expect(text.match(/Настройките на PostgreSQL/g)).toHaveLength(1);
  expect(text).toMatch(/<details lang="en"><summary lang="bg">подробно<\/summary>PostgreSQL \S+ with fsync off: [^<]*<\/details>/);
  expect(text).not.toMatch(/in review|<span class="tag attention">внимание<\/span> <\/span><\/li>/);
  expect(text).toContain('Записани днес');
});

test('an accountant of some shops sees nothing of the others, not even how much there is', async () => {
  await using it = await world();
  await busy(it);
  const accountant = await signIn(it.bridge, { role: 'accountant', shops: ['00000000-0000-4000-8000-000000000000'] });

  expect(await accountant.get('/console')).toMatchObject({ status: 303, location: '/console/months' });
  expect((await accountant.get('/console/nowhere')).text).toMatch(/<title>Nothing is here/);
});

test('of a large backlog it says that there is more than it counts', async () => {
  await using it = await world({ role: 'console' });
  await pending(it, await it.bridge.connect(), { count: 10_001, minutes: 5 });
  const { text } = await (await signIn(it.bridge)).get('/console');

  expect(text).toMatch(/<p class="figure">10000\+<\/p><p class="soft">[^<]*oldest/i);
});

test('no page leads anyone to a page that refuses them', async () => {
  await using it = await world();
  await busy(it);
  await it.bridge.connect({ name: 'On trial', trial: true });
  for (const role of ['viewer', 'accountant', 'operator'] as const) {
    const reader = await signIn(it.bridge, { role });
    const looked = new Set(['/console']);
    for (const path of looked) {
      const { status, text } = await reader.get(path);
      expect([role, path, status]).not.toEqual([role, path, 403]);
      for (const [, to = ''] of text.matchAll(/href="(\/console(?:\/[^"?#]*)?)/g)) if (!to.includes('/assets/')) looked.add(to);
    }
    expect(looked.size).toBeGreaterThan(8);
  }
});
