import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { euroSheet } from '../../support/samples/rates.ts';
import { startHttpServer } from '../../support/servers/raw-server.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const PAGE = '/console/destinations/rates';

/** As a browser sends a form with a file. */
async function send({ cookie, url }: SignedInBrowser & { url: string }, file: string | null, { called = 'bnb.xml', ...fields }: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (file !== null) body.append('file', new Blob([file], { type: 'text/xml' }), called);
  const answer = await fetch(`${url}${PAGE}/import`, { method: 'POST', body, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  return { status: answer.status, text: await answer.text() };
}

test('a file of the bank is imported, an order that waited gets its rate, and another value is taken only by who says so', async () => {
  await using it = await world({ embeddedService: true });
  const service = await ownShop(it);
  const connected = await it.bridge.connect({ shopId: service.shopId });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { currency: 'USD' }) });
  await it.bridge.settled(connected, '1', 'recorded');
  const operator = await signIn(it.bridge, { role: 'operator' });
  const empty = (await operator.get(PAGE)).text;
  expect(empty).toContain('No sheet is stored yet.');
  expect(empty).toMatch(/Orders that wait for a rate.*USD/s);
  const day = '2026-10-30';

  const strange = await send({ ...operator, url: it.bridge.app.url }, euroSheet(day, { USD: '1.1735' }), { called: 'bnb.xml.exe' });
  expect([strange.status, strange.text.includes('Choose an XML file')]).toEqual([422, true]);

  const imported = await send({ ...operator, url: it.bridge.app.url }, euroSheet(day, { USD: '1.1735' }));

  expect(imported.status).toBe(200);
  expect(imported.text).toContain('1 order that waited for a rate has it now.');
  expect(imported.text).toContain('The newest sheet is of 30 October 2026.');
  expect((await operator.get(PAGE)).text).toContain('No order waits for a rate.');
  const other = await send({ ...operator, url: it.bridge.app.url }, euroSheet(day, { USD: '1.1999' }));
  expect([other.status, other.text.includes('Nothing was imported')]).toEqual([422, true]);
  expect((await send({ ...operator, url: it.bridge.app.url }, euroSheet(day, { USD: '1.1999' }), { replace: '1' })).text).toContain('1 replaced');
  for (const file of [null, '<img src=x onerror=alert(1)>', ' '.repeat(16 * 1024 * 1024)]) {
    const refused = await send({ ...operator, url: it.bridge.app.url }, file);
    expect([refused.status, refused.text.includes('<img src=x')]).toEqual([422, false]);
  }
  expect((await operator.get('/console/destinations')).text).toContain(`href="${PAGE}"`);
});

test('the newest sheet is fetched by a press; nobody else may, and where no service of ours is there is no page', async () => {
  await using bank = await startHttpServer((response) => response.writeHead(200).end(euroSheet('2026-10-30', { USD: '1.1735' })));
  await using it = await world({ embeddedService: true });
  // As the address of the bank is set, while nothing is fetched by itself.
  Object.assign(it.bridge.app.core.config, { bnbRatesUrl: bank.url });
  const operator = await signIn(it.bridge, { role: 'operator' });
  const form = formOf((await operator.get(PAGE)).text, PAGE);

  const fetched = await operator.post(PAGE, form);

  expect(fetched.text).toContain('The newest sheet is of 30 October 2026: 1 rate stored, 0 known already.');
  expect((await operator.post(PAGE, form)).status).toBe(409);
  expect((await operator.get('/console/activity')).text).toContain(operator.person.email);
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect([(await viewer.get(PAGE)).status, (await viewer.post(PAGE, form)).status, (await send({ ...viewer, url: it.bridge.app.url }, 'x')).status]).toEqual([
    403, 403, 403,
  ]);
  await using elsewhere = await world();
  const owner = await signIn(elsewhere.bridge);
  expect((await owner.get(PAGE)).status).toBe(404);
});
