import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { companyTyped } from '../support/connect/company-typed.ts';
import { pressTwice, renewed, type Seen } from '../support/connect/pressed-twice.ts';
import { approveAt, comeBack, goToStore, inviteMerchant, type Merchant, reachable, withKeys } from '../support/connect/store-merchant.ts';
import { formOf } from '../support/console/form-of.ts';
import { startWooServer, type WooServer } from '../support/servers/woo/start-woo-server.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();

/** Numbers from 0 below another one, the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NOT_DONE = /could not be made|has changed meanwhile|was changed in another window|whether it was done/i;
const TO_MAPPING = /class="verb" href="[^"]*\/mapping"/;

type Walk = { merchant: Merchant; roll: (below: number) => number; wrong: string[] };
type Press = { path: string; fields: Record<string, string | string[]>; wayOn: RegExp };

/** Presses twice, at once or a moment apart, and looks for the way on: in the page as it renews itself, and nowhere else. Notes where it does not come. */
async function press({ merchant, roll, wrong }: Walk, { path, fields, wayOn }: Press): Promise<Seen> {
  const delayMs = roll(2) === 0 ? roll(20) : roll(300);
  let seen = await pressTwice(merchant, { path, fields, delayMs });
  const hasWay = async () => {
    if (wayOn.test(`${seen.address}\n${seen.text}`)) return true;
    seen = await renewed(merchant, seen);
    return false;
  };
  const isThere = await until(hasWay, { what: 'the way on' }).then(
    () => true,
    () => false,
  );
  const main = seen.text.slice(seen.text.indexOf('<h1>'));
  if (!isThere || NOT_DONE.test(main) || seen.status >= 400) wrong.push(`${path} after ${delayMs} ms: ${seen.address} ${seen.status} ${main}`);
  return seen;
}

/** As slow as stores are that are busy: up to so many ms for each answer. */
function slowDown({ host }: WooServer, roll: (below: number) => number, mostMs: number): void {
  host.intercept = async () => {
    await sleep(roll(mostMs));
    return undefined;
  };
}

async function storeStep(walk: Walk, store: WooServer): Promise<void> {
  const { merchant, roll } = walk;
  await press(walk, { path: '/store', fields: { kind: 'address', platform: 'woocommerce', address: store.url }, wayOn: /\/store\/found\n/ });
  if (roll(2) === 0) await comeBack(merchant, await approveAt(await goToStore(merchant, store.url)));
  else await press(walk, { path: '/store/keys', fields: { consumerKey: 'ck_write', consumerSecret: 'cs_write' }, wayOn: /\/company\n/ });
}

async function lastSteps(walk: Walk): Promise<void> {
  const { merchant } = walk;
  const [mapping, trial] = ['mapping', 'trial'].map((page) => `${merchant.base}/${page}`);
  await press(walk, { path: '/mapping', fields: { act: 'link' }, wayOn: /class="secret"/ });
  const answers = formOf((await merchant.get('/mapping')).text, mapping ?? '');
  await press(walk, { path: '/mapping', fields: { ...answers, act: 'save', 'on-delivery': 'cod', 'cod-paid': 'completed' }, wayOn: /\/trial\n/ });
  const { text } = await merchant.get('/trial');
  await press(walk, { path: '/trial', fields: formOf(text.slice(text.indexOf(`method="post" action="${trial}`)), trial ?? ''), wayOn: /\/status\n/ });
}

async function makeUp(it: World, seed: number) {
  const store = await startWooServer({ now: Date.now });
  store.floor.buy({ gateway: 'bacs' });
  store.floor.buy({ items: [{ cents: 1090, rate: 9, name: 'Книга' }] });
  store.floor.setStatus(store.floor.buy({ gateway: 'cod', paid: false }).id, 'completed');
  const walk: Walk = { merchant: await inviteMerchant(it), roll: dice(seed), wrong: [] };
  return { store, walk };
}

test.each([21, 22, 24])('a merchant who presses everything twice comes to the end, and all is made once: seed %i', async (seed) => {
  await using it = await world({ embeddedService: true, config: await reachable() });
  const { store, walk } = await makeUp(it, seed);
  await using _closed = store;
  slowDown(store, walk.roll, [1, 60, 300][seed % 3] ?? 1);

  await storeStep(walk, store);
  await press(walk, { path: '/company', fields: { verb: 'uic', companyUic: '206770508' }, wayOn: /name="companyName"/ });
  await press(walk, { path: '/company', fields: companyTyped(), wayOn: /\/webhooks\n/ });
  for (const fields of [{ act: 'make', agree: 'yes' }, { act: 'check' }, { act: 'touch' }]) await press(walk, { path: '/webhooks', fields, wayOn: TO_MAPPING });
  await lastSteps(walk);

  expect(walk.wrong).toEqual([]);
  expect(await it.bridge.app.core.connections.list()).toHaveLength(1);
  const topics = [...store.webhooks.all.values()].map(({ topic }) => topic);
  expect(topics.length).toBe(new Set(topics).size);
});

test.each([0, 1, 4, 16])('two presses, %i ms apart, make the webhooks of a slow store, and the second one leads on', async (delayMs) => {
  await using it = await world({ config: await reachable() });
  const { store, walk } = await makeUp(it, delayMs);
  await using _closed = store;
  await withKeys(walk.merchant, store.url);
  slowDown(store, walk.roll, 300);

  await press({ ...walk, roll: (below) => (below === 2 ? 0 : delayMs) }, { path: '/webhooks', fields: { act: 'make' }, wayOn: TO_MAPPING });

  expect(walk.wrong).toEqual([]);
});

test('while another press makes them still, the page says so, and shows the way on when it is done', async () => {
  await using it = await world({ config: await reachable() });
  const { store, walk } = await makeUp(it, 1);
  await using _closed = store;
  const { merchant } = walk;
  await withKeys(merchant, store.url);
  let asked = 0;
  // Each call in time, and all of them longer than the second press waits.
  store.host.intercept = async ({ path }) => {
    if (!path.includes('/webhooks')) return undefined;
    asked += 1;
    await sleep(900);
    return undefined;
  };
  const first = merchant.post('/webhooks', { act: 'make' });
  await until(() => asked > 0, { what: 'the store to be asked' });

  const second = await merchant.post('/webhooks', { act: 'make' });
  let seen: Seen = { address: `${merchant.base}/webhooks`, ...(await merchant.get('/webhooks')) };

  expect([second.status, second.location]).toEqual([303, `${merchant.base}/webhooks`]);
  expect(seen.text).toContain('are being made or checked');
  expect(seen.text).not.toMatch(NOT_DONE);
  await first;
  seen = await renewed(merchant, seen);
  expect(seen.text).toMatch(TO_MAPPING);
  expect(seen.text).not.toContain('are being made or checked');
});
