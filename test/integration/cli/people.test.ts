import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ListedPerson } from '../../../src/operations/people/people.ts';
import type { Program } from '../../support/servers/program.ts';
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
  expect(await program.ok(['people', 'disable', 'ACC@kantora.example'])).toBe('acc@kantora.example can’t sign in any more.\n');
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

  const refusals: [string[], string][] = [
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
  ]);
  expect(acts.every(({ who }) => who.startsWith('cli:'))).toBe(true);
  expect(JSON.stringify(acts)).not.toContain('kantora');
  const listed = await program.ok(['activity']);
  expect(listed).toContain('Ivan');
  expect((await people(program)).filter(({ id }) => listed.includes(id))).toEqual([]);
});
