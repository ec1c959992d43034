import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ListedPerson } from '../../../src/operations/people/people.ts';
import type { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

type Made = { id: string; link: string };

const people = (program: Program) => program.json<ListedPerson[]>(['people', 'list']);

test('people are added, listed, reset, disabled and enabled by commands, and each is an act', async () => {
  await using world = await startCliWorld();
  const { program } = world;
  expect(await program.ok(['people', 'list'])).toContain('Nobody can sign in yet');
  const added = await program.ok(['people', 'add', 'ivan@shop.example', '--role', 'owner', '--name', 'Ivan', '--lang', 'bg']);
  expect(added).toMatch(/^ivan@shop\.example is an owner now\.[^\n]+\nhttp:\/\/localhost:\d+\/console\/choose-password\?code=[\w-]{43}\n$/);
  const shops = [randomUUID(), randomUUID()].sort();
  await program.json<Made>(['people', 'add', 'acc@kantora.example', '--role', 'accountant', ...shops.flatMap((shop) => ['--shop', shop])]);

  expect(await people(program)).toMatchObject([
    { email: 'acc@kantora.example', role: 'accountant', shops, lang: 'en', sessions: 0, hasPassword: false },
    { email: 'ivan@shop.example', role: 'owner', shops: null, lang: 'bg', name: 'Ivan' },
  ]);
  expect(await program.ok(['people', 'list'])).toMatch(/ivan@shop\.example +Ivan +owner +all +- +0 +has a link until/);
  expect(await program.ok(['people', 'disable', 'ACC@kantora.example'])).toBe('acc@kantora.example can no longer sign in.\n');
  expect(await program.run(['people', 'reset', 'acc@kantora.example'])).toMatchObject({ code: 1, err: expect.stringContaining('this person is disabled') });
  expect(await program.ok(['people', 'enable', 'acc@kantora.example'])).toBe('acc@kantora.example may sign in again.\n');
  expect(await program.json<Made>(['people', 'reset', 'acc@kantora.example'])).toMatchObject({
    link: expect.stringContaining('/console/choose-password?code='),
  });

  const reset = async (env: Record<string, string>) => (await program.run(['people', 'reset', 'ivan@shop.example'], { env })).out;
  expect(await reset({ PUBLIC_URL: 'https://bridge.example' })).toContain('https://bridge.example/console/choose-password');
  const apart = { PUBLIC_URL: 'https://bridge.example', CONSOLE_PORT: '3001' };
  expect(await reset(apart)).toContain('http://localhost:3001/console/choose-password');
  expect(await reset({ ...apart, CONSOLE_PUBLIC_URL: 'https://console.example' })).toContain('https://console.example/console/choose-password');

  await world.pool.query(`update people set factor = 'sealed' where role = 'owner'`);
  expect(await program.ok(['people', 'reset-factor', 'ivan@shop.example'])).toMatch(/^ivan@shop\.example no longer has a second step;/);
  const refusals: [string[], string][] = [
    [['reset-factor', 'ivan@shop.example'], 'this person has no second step'],
    [['disable', 'ivan@shop.example'], 'this is the last owner'],
    [['disable', 'nobody@shop.example'], 'nobody has this address or id; `orderbridge people list`'],
    [['add', 'IVAN@shop.example', '--role', 'viewer'], 'somebody has this address already'],
    [['add', 'no address', '--role', 'viewer'], 'this is not an e-mail address'],
    [['add', 'new@shop.example', '--role', 'viewer', '--shop', randomUUID()], 'only accountants can be limited'],
    [['add', 'new@shop.example', '--role', 'accountant', '--shop', 'corner'], 'a shop is named by its id'],
    [['add', 'new@shop.example'], '--role'],
  ];
  for (const [args, words] of refusals) {
    const { code, err } = await program.run(['people', ...args]);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
  }
  const acts = await program.json<{ act: string; who: string }[]>(['activity']);
  expect(acts.map(({ act }) => act).reverse()).toEqual([
    'person.added',
    'person.added',
    'person.disabled',
    'person.enabled',
    ...Array<string>(4).fill('person.reset'),
    'person.factor-reset',
  ]);
  expect(acts.every(({ who }) => who.startsWith('cli:'))).toBe(true);
  expect(JSON.stringify(acts)).not.toContain('kantora');
  expect((await world.pool.query(`select from mails where kind = 'person' and ref ->> 'notice' = 'factor'`)).rowCount).toBe(1);
  const listed = await program.ok(['activity']);
  expect(listed).toContain('Ivan');
  expect((await people(program)).filter(({ id }) => listed.includes(id))).toEqual([]);
});

test('keys says what must stay, what may go, which backups need it, and after a leak what to renew', async () => {
  await using world = await startCliWorld();
  const { program } = world;
  await program.ok(['people', 'add', 'ivan@shop.example', '--role', 'owner']);
  await world.pool.query(`update people set factor = 'sealed'`);
  const newest = (digits: string, before: string) => ({ env: { ENCRYPTION_KEYS: `${digits.repeat(32)},${before}` } });
  const next = newest('22', ENCRYPTION_KEYS);
  const says = async (args: string[], at: typeof next) => (await program.run(['keys', ...args], at)).out;

  expect(await says([], next)).toMatch(/\nThe key \w+ must stay: run `orderbridge keys rotate`, and see here again\.\n/);
  expect(await says(['rotate'], next)).toMatch(
    /^All data keys are sealed with \w+; \d+ were sealed anew\.\n`orderbridge keys` says whether the old key may go\.\n$/,
  );
  expect(await says([], next)).toMatch(
    /\nThe old key \w+ may go: nothing in the database, the queue, the inbox and the outbox needs it\. Backups made before .+ need it: keep it as long as them, elsewhere\.\n/,
  );
  const leaked = newest('33', '22'.repeat(32));
  expect(await program.run(['keys', 'rotate', '--leaked'], leaked)).toMatchObject({
    out: expect.stringMatching(
      /encrypted anew with new data keys\.[\s\S]*\nAnyone who had the leaked key may know these; renew them:\n[\s\S]*second step of ivan@shop\.example +people reset-factor ivan@shop\.example/,
    ),
    err: expect.stringContaining('bridge.people.email: 1 encrypted anew'),
  });
  expect(await says([], leaked)).toContain('people reset-factor ivan@shop.example');
});
