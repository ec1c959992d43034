import { expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { issueIn, sendManyToReview } from '../support/console/review-world.ts';
import { signIn } from '../support/console/signed-in.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('an accountant proposes, and an operator takes it on a phone without script; both look right in every way', { timeout: 300_000 }, async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count: 3 });
  const maria = await signIn(it.bridge, { role: 'accountant', name: 'Maria', shops: [connected.connection.shopId] });
  const ivan = await signIn(it.bridge, { role: 'operator', name: 'Ivan' });
  const { url } = it.bridge.app;
  const phone = { width: 360, theme: 'light', script: false } as const;
  const issue = issueIn((await maria.get('/console/review')).text, 'has no payment type');
  {
    await using opened = await openAs({ url, cookie: maria.cookie }, phone);
    const { page } = opened;
    await page.goto(`${url}/console/review`);
    await page.getByRole('link', { name: 'Choose' }).click();
    await page.getByLabel('Payment type in the tax record').selectOption('VIRTUAL_POS');
    await page.getByLabel('Name of the provider').fill('12345678');
    await page.getByLabel('Why, for anyone who decides').fill('the contract with the bank says so');
    await page.getByRole('button', { name: 'Propose it' }).click();
    await page.getByText('Your proposal is kept').waitFor();
    expect(opened.problems).toEqual([]);
  }

  const wrong = [...(await wrongIn({ url, cookie: maria.cookie }, issue)), ...(await wrongIn({ url, cookie: ivan.cookie }, issue))];

  expect(wrong).toEqual([]);
  await using opened = await openAs({ url, cookie: ivan.cookie }, phone);
  const { page } = opened;
  await ivan.post('/console/language', { lang: 'en' });
  await page.goto(`${url}/console`);
  await page.locator('#proposals').getByRole('link').click();
  await page.getByRole('button', { name: 'Accept. Save and record one order' }).click();
  await page.getByRole('button', { name: 'Release the other 2' }).waitFor();
  expect(it.service.living).toBe(1);
});
