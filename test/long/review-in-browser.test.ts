import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { hiddenIn, issueIn, sendManyToReview } from '../support/console/review-world.ts';
import { signIn } from '../support/console/signed-in.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();

/** The page comes to say this: by itself, with or without script. */
async function says(page: Page, words: string): Promise<void> {
  await page.getByText(words).first().waitFor({ timeout: 60_000 });
}

async function answer(page: Page, name: string): Promise<void> {
  await page.getByLabel('Payment type in the tax record').selectOption('PAYMENT_PROCESSOR');
  await page.getByLabel('Name of the provider').fill(name);
  await page.getByRole('button', { name: 'Save and record one order' }).click();
}

test.each([
  { script: true, count: 120 },
  { script: false, count: 12 },
])(
  '$count orders wait for one answer: a typo is refused, the correction is recorded, and the others follow (script: $script)',
  { timeout: 240_000 },
  async ({ script, count }) => {
    await using it = await world();
    const connected = await it.bridge.connect({ name: 'Corner' });
    await sendManyToReview(it, connected, { count });
    const { cookie } = await signIn(it.bridge, { role: 'operator' });
    await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 360, theme: 'light', script });
    const { page, problems } = opened;
    it.service.next('create', { status: 422, body: { message: 'no provider is called Borika' } });

    await page.goto(`${it.bridge.app.url}/console/review`);
    await says(page, `${count} orders are waiting for one decision.`);
    await page.getByRole('link', { name: 'Choose' }).click();
    await answer(page, 'Borika');
    await says(page, 'no provider is called Borika');
    await says(page, 'Nothing else was sent.');
    expect(it.service.requests('POST')).toHaveLength(1);
    await answer(page, 'Borica AD');
    await says(page, `Order #${count} is recorded`);
    await page.getByRole('button', { name: `Release the other ${count - 1}` }).click();
    const bulkAction = page.url();
    // Who leaves the page stops nothing.
    await page.goto('about:blank');
    await until(() => it.service.living === count, { what: 'all to be recorded', timeoutMs: 120_000 });
    await page.goto(bulkAction);
    await says(page, `${count - 1} recorded`);
    await page.getByRole('link', { name: 'Everything that needs review' }).click();
    await says(page, 'Nothing is waiting for you.');
    expect(problems).toEqual([]);
  },
);

async function waitingWorld(it: World) {
  const connected = await it.bridge.connect({ name: 'Corner' });
  const cents = { total: '47.90', lines: [{ id: 'a', name: 'Тениска', quantity: 2, amount: '48.00', vatRate: '20' }] };
  await sendManyToReview(it, connected, { count: 3 });
  await sendManyToReview(it, connected, { count: 1, first: 50, payment: { method: 'stripe' }, ...cents });
  const id = randomUUID();
  await it.bridge.pool.query(
    `insert into deliveries (id, connection_id, topic, arrived_at, outcome, code, detail, store) values
       ($1, $2, 'order.paid', now(), 'review', 'payload.unreadable', 'total must be text', null),
       (gen_random_uuid(), $2, 'order.paid', now(), 'held', 'store.other', null, 'staging.shop.example')`,
    [id, connected.connection.id],
  );
  return { connected, webhook: `/console/webhooks/${id}` };
}

test('what needs review, in every way', async () => {
  await using it = await world();
  const { webhook } = await waitingWorld(it);
  const owner = await signIn(it.bridge);
  const list = (await owner.get('/console/review')).text;
  const issue = issueIn(list, 'has no payment type');
  it.service.next('create', { status: 422, body: { message: 'no provider is called Borika' } });
  const form = hiddenIn((await owner.get(issue)).text, 'check');
  const checked = await owner.post(issue, { ...form, 'value-0': 'PAYMENT_PROCESSOR', 'name-0': 'Borika' });
  const refused = checked.location ?? '';
  await until(async () => (await owner.get(refused)).text.includes('refused order'), { what: 'the refusal' });
  const visitor = { url: it.bridge.app.url, cookie: owner.cookie };
  const bulkAction = `/console/bulk-actions/${refused.split('action=')[1] ?? ''}`;

  const paths = [
    '/console/review',
    refused,
    issueIn(list, 'The lines do not add up'),
    bulkAction,
    webhook,
    '/console/review/webhooks',
    '/console/webhooks',
    '/console/review/hosts',
  ];
  expect(await wrongIn(visitor, ...paths)).toEqual([]);
});
