import { afterAll, beforeAll, expect, test } from 'vitest';
import { englishLines } from '../../support/english-lines.ts';
import { longTest } from '../../support/long-test.ts';
import type { Ran } from '../../support/servers/program.ts';
import { CliStores, type Listed } from '../../support/worlds/cli-stores.ts';

const STORE = 'https://shop.example/';

let stores: CliStores;
let review: Listed;
beforeAll(async () => {
  stores = await CliStores.start();
  const connection = await stores.recorded(await stores.shop(), { store: STORE, id: '8' });
  await stores.deliver(connection, STORE, { id: 7, number: '7', payment_method: 'econt_pay' });
  [review] = (await stores.settled('7', 'review')) as [Listed];
});
afterAll(() => stores[Symbol.asyncDispose]());

const say = (args: readonly string[], env?: Record<string, string>): Promise<Ran> => stores.program.run(args, env === undefined ? {} : { env });
const WHY = 'Начинът на плащане „econt_pay“ няма вид.';

test('the verdict is told in Bulgarian, with what to type as it is', async () => {
  const { out, code } = await say(['status', '--lang', 'bg']);

  expect(out).toMatch(/^внимание: |^спешно: /);
  expect(out).toContain('1 поръчка чака човек: Начин на плащане няма вид в настройките.');
  expect(out).toContain('$ orderbridge review');
  expect(code).toBe((await say(['status'])).code);
});

test('what waits, its order and the list of orders', async () => {
  const groups = (await say(['review', '--lang', 'bg'])).out;
  expect(groups).toContain('payment.unmapped: 1 поръчка');
  expect(groups).toContain(WHY);
  expect(groups).toContain('Какво да се направи: Добавете го в `payments` (`orderbridge settings`)');
  expect(groups).toMatch(/магазин +поръчки +сума/);
  expect((await say(['review', '--all', '--lang', 'bg'])).out).toContain(`чака човек, payment.unmapped: ${WHY}`);

  const order = (await say(['--lang', 'bg', 'order', `id:${review.id}`])).out;
  expect(order).toMatch(/^състояние +чака човек: Начин на плащане/m);
  expect(order).toContain(`payment.unmapped: ${WHY}`);
  for (const title of ['Какво се знае', 'Редове в магазина', 'Какъвто трябва да е записът', 'Известия', 'Заявки към услугата'])
    expect(order).toMatch(new RegExp(`^${title}$`, 'm'));
  expect(order).not.toMatch(/has no type|Facts|Webhooks|to do/);

  const orders = (await say(['orders', '--lang', 'bg'])).out;
  expect(orders).toMatch(/^номер +състояние +сума/);
  expect(orders).toMatch(/чака човек/);
  expect(orders).toMatch(/записана/);
});

longTest('people, trail, webhooks, connections and checks', async () => {
  const said = await Promise.all([['people', 'list'], ['activity'], ['connections'], ['doctor']].map((args) => say([...args, '--lang', 'bg'])));

  expect(said.map(({ out }) => out.split('\n')[0])).toEqual([
    expect.stringContaining('Още никой няма достъп'),
    expect.stringMatching(/^кога +кой +какво/),
    expect.stringMatching(/^име +състояние +платформа/),
    expect.stringMatching(/какво +какво е/),
  ]);
  expect(said[1]?.out).toContain('Програмата помоли човек да реши');
  expect(said[2]?.out).toContain('свързан');
  expect(said[3]?.out).toMatch(/бележка +чакат човек +1 поръчка чака човек/);
});

test('a refusal is told in the language of the command, with the same exit code', async () => {
  const bulgarian = await say(['release', 'nothing', '--lang', 'bg']);
  const english = await say(['release', 'nothing']);

  expect(bulgarian.err).toContain('orderbridge: не е дошло известие за поръчка nothing');
  expect(bulgarian.err).toContain('`orderbridge orders` показва познатите');
  expect(english.err).toContain('orderbridge: no webhook of an order nothing has come');
  expect(bulgarian.code).toBe(english.code);
});

longTest('no line of what is done every day is left in English', async () => {
  const { id, connectionId } = review;
  const word = ['--why', 'Проба.', '--yes'];
  const lines: string[][] = [
    ['connections'],
    ['queues'],
    ['queues', '--resume', 'deliveries'],
    ['proposals'],
    ['proposals', 'decline', '1', '--why', 'Не.'],
    ['exports'],
    ['alerts', 'list'],
    ['alerts', 'test'],
    ['destinations'],
    ['destinations', 'probe'],
    ['destinations', 'resume'],
    ['deliveries', connectionId],
    ['settings', connectionId],
    ['settings', connectionId, '--set', 'ratePerSecond=9'],
    ['settings', connectionId, '--set', 'giftCards=parc', '--set', 'vatGroups.nine=GROUP_D', '--set', 'nothing=1'],
    ['settings', connectionId, '--set', 'payments.cod.paymentType=CAHS'],
    ['settings', connectionId, '--set', 'ratePerSecond=9'],
    ['release', '--code', 'payment.unmapped'],
    ['settle', '--code', 'payment.unmapped', '--elsewhere', ...word, '--dry-run'],
    ['plan-again', `id:${id}`, ...word],
    ['fetch', connectionId, '7'],
    ['subscriptions', connectionId],
    ['replay', '00000000-0000-0000-0000-000000000000'],
    ['rotate-secret', connectionId, '--secret', 'another-secret-of-the-store'],
    ['service', 'shops', 'list'],
    ['service', 'keys', 'list'],
    ['service', 'mails', 'list'],
    ['service', 'rates', 'list'],
    ['drain', '--timeout', '20'],
    ['disconnect', connectionId],
    ['disconnect', connectionId],
  ];
  const left: string[] = [];
  for (const line of lines) left.push(...englishLines(await say([...line, '--lang', 'bg'])).map((one) => `${line.slice(0, 2).join(' ')}: ${one}`));

  expect(left).toEqual([]);
});

longTest('JSON is the same in each language', async () => {
  for (const args of [
    ['review', '--json'],
    ['orders', '--json'],
    ['order', `id:${review.id}`, '--json'],
    ['connections', '--json'],
  ])
    expect((await say([...args, '--lang', 'bg'])).out).toBe((await say(args)).out);
});

test('the environment may say the language; the option goes before it, and another language is refused', async () => {
  expect((await say(['orders'], { ORDERBRIDGE_LANG: 'bg' })).out).toMatch(/^номер/);
  expect((await say(['orders', '--lang', 'en'], { ORDERBRIDGE_LANG: 'bg' })).out).toMatch(/^number/);
  expect(await say(['orders'], { ORDERBRIDGE_LANG: 'de' })).toMatchObject({
    code: 78,
    err: 'orderbridge: ORDERBRIDGE_LANG is "de", which is none of en, bg\n',
  });
  const other = await say(['orders', '--lang', 'de']);
  expect(other.code).not.toBe(0);
  expect(other.err).toContain('Allowed choices are en, bg');
  expect((await say(['--help'])).out).toContain('--lang <lang>');
});

test('the language of a new person’s pages is not that of the command', async () => {
  const { out } = await say(['people', 'add', 'maria@shop.example', '--role', 'viewer', '--lang', 'bg']);

  expect(out).toContain('maria@shop.example is a viewer now.');
  expect(await stores.program.json(['people', 'list'])).toMatchObject([{ email: 'maria@shop.example', lang: 'bg' }]);
  expect((await say(['--lang', 'bg', 'people', 'reset', 'maria@shop.example'])).out).toContain('Паролата на maria@shop.example е отнета.');
});
