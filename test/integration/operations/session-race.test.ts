import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepPassword } from '../../../src/bridge/ledger/people/change-person.ts';
import { addLink } from '../../../src/bridge/ledger/people/link-store.ts';
import { choosePassword, passwordLink, signInByLink, signInLink } from '../../../src/operations/people/links.ts';
import { addPerson, knownPerson, resetPassword, setDisabled } from '../../../src/operations/people/people.ts';
import type { FactorDeps, Opened } from '../../../src/operations/people/second-factor.ts';
import { type Person, signedInBy } from '../../../src/operations/people/sessions.ts';
import { changePassword, type Passwords, signInByOidc, signInByPassword } from '../../../src/operations/people/sign-in.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { hashOf } from '../../../src/platform/token-hash.ts';
import { BY_TEST, codeOf } from '../../support/console/chosen-password.ts';
import { runs } from '../../support/run-size.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { until } from '../../support/worlds/settled.ts';

const world = useClearedWorlds();
const AGENT = { agent: 'test' };
const EMAIL = 'maria@shop.example';
const ROUNDS = runs(12, 100);

/** Hashes that cost nothing, and wait where a hash would compute. */
function passwords(wait: () => Promise<unknown> = async () => undefined): Passwords {
  return {
    hash: async (password) => `hash of ${password}`,
    check: async (password, stored) => {
      await wait();
      return { isRight: stored === `hash of ${password}`, isOutdated: false };
    },
  };
}

/** Without a second factor. */
function entry(pool: Pool): FactorDeps {
  return { pool, sealer: sealer(Buffer.alloc(32, 7)), isFactorRequired: false, url: null, now: () => new Date() };
}

function tokenOf(made: Opened | null): string {
  if (made === null || !('token' in made)) throw new Error('nobody is signed in');
  return made.token;
}

async function setPassword(pool: Pool, { id }: Pick<Person, 'id'>, password: string): Promise<void> {
  await keepPassword(pool, await knownPerson({ pool }, id), { password: `hash of ${password}` });
}

async function personWith(pool: Pool, password: string): Promise<Person> {
  const add = (email: string) => addPerson({ pool }, { email, name: '', role: 'owner', shops: null, lang: 'en', ...BY_TEST });
  const { person } = await add(EMAIL);
  await add('other-owner@shop.example');
  await setPassword(pool, person, password);
  return person;
}

/** What ends the sign-ins of before. */
const endings = {
  'a new password': (pool: Pool, person: Person) => setPassword(pool, person, 'new'),
  'a reset': async (pool: Pool, person: Person) => void (await resetPassword({ pool }, person, BY_TEST)),
  'disabling and enabling': async (pool: Pool, person: Person) => {
    await setDisabled({ pool }, person, { isDisabled: true, ...BY_TEST });
    await setDisabled({ pool }, person, { isDisabled: false, ...BY_TEST });
  },
};
const names = Object.keys(endings) as (keyof typeof endings)[];

test.each(names)('%s ends a sign-in whose password was checked before', async (name) => {
  await using it = await world();
  const { pool } = it.bridge;
  const person = await personWith(pool, 'old');

  const made = await signInByPassword({ ...entry(pool), passwords: passwords(() => endings[name](pool, person)) }, { email: EMAIL, password: 'old', ...AGENT });

  expect(made).toBeNull();
  expect(await pool.query('select from sessions where ended_at is null')).toMatchObject({ rowCount: 0 });
});

test.each(names)('%s ends a link to sign in that is being made', async (name) => {
  await using it = await world();
  const { pool } = it.bridge;
  const person = await personWith(pool, 'old');
  const askedFor = await knownPerson({ pool }, person.id);
  await endings[name](pool, person);

  expect(await addLink(pool, { token: hashOf('link'), kind: 'sign-in', person: askedFor, minutes: 15 }, 3)).toBe(false);
  expect(await signInByLink(entry(pool), { code: 'link', ...AGENT })).toBeNull();
});

test('a mailbox gets three links at a time, also where more are asked for at once', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  await personWith(pool, 'old');

  const made = await Promise.all(Array.from({ length: 8 }, () => signInLink({ pool }, { email: EMAIL, to: '/console' })));

  expect(made.filter((one) => one !== null)).toHaveLength(3);
});

test('a change of password whose old one was checked before a reset changes nothing', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const person = await personWith(pool, 'old');
  const made = await signInByPassword({ ...entry(pool), passwords: passwords() }, { email: EMAIL, password: 'old', ...AGENT });
  const signedIn = await signedInBy({ pool }, tokenOf(made));
  if (signedIn === null) throw new Error('nobody is signed in');

  const resetting = passwords(() => resetPassword({ pool }, person, BY_TEST));
  const isChanged = await changePassword({ pool, passwords: resetting }, signedIn, { old: 'old', password: 'stolen' });

  expect(isChanged).toBe(false);
  expect(await knownPerson({ pool }, person.id)).toMatchObject({ hasPassword: false });
});

test('a link to choose a password ends when its person chose one in another way', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const person = await personWith(pool, 'old');
  const link = codeOf(await passwordLink({ pool }, person));

  await setPassword(pool, person, 'new');

  expect(await choosePassword({ ...entry(pool), passwords: passwords() }, { code: link, password: 'stolen', ...AGENT })).toBeNull();
});

const entries = {
  'a password by a link': async (pool: Pool, person: Person) => {
    const code = codeOf(await passwordLink({ pool }, person));
    return () => choosePassword({ ...entry(pool), passwords: passwords() }, { code, password: 'new', ...AGENT });
  },
  'a link to sign in': async (pool: Pool) => {
    const made = await signInLink({ pool }, { email: EMAIL, to: '/' });
    const code = new URL(made?.path ?? '', 'http://localhost').searchParams.get('code') ?? '';
    return () => signInByLink(entry(pool), { code, ...AGENT });
  },
  'a password': async (pool: Pool) => () => signInByPassword({ ...entry(pool), passwords: passwords() }, { email: EMAIL, password: 'old', ...AGENT }),
};

test.each(Object.keys(entries) as (keyof typeof entries)[])('%s waits for who changes an owner, and keeps them from nothing', async (name) => {
  await using it = await world();
  const { pool } = it.bridge;
  const person = await personWith(pool, 'old');
  const enter = await entries[name](pool, person);
  await using changing = await pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));
  await changing.client.query('begin');
  await changing.client.query('lock table people in share row exclusive mode');

  const entering = enter();
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await pool.query(waits)).rowCount === 1, { what: 'who comes in to wait' });
  await changing.client.query('update people set name = $2 where id = $1', [person.id, 'Maria']);
  await changing.client.query('commit');

  expect(tokenOf(await entering)).toEqual(expect.any(String));
});

test('who loses the role at the identity provider is out, also with a sign-in that began before', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const rules = { roleClaim: 'groups', roles: [{ role: 'owner' as const, value: 'owners' }] };
  const enter = (groups: string[]) => {
    const identity = { issuer: 'https://id.example', subject: 'maria', signedInAt: null, claims: { groups, email: EMAIL, email_verified: true } };
    return signInByOidc({ pool }, { identity, rules, lang: 'en', ...AGENT });
  };

  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => enter(n % 2 === 0 ? ['owners'] : [])));
  await enter([]);

  const tokens = made.flatMap((one) => ('token' in one ? [one.token] : []));
  expect(await Promise.all(tokens.map((token) => signedInBy({ pool }, token)))).toEqual(tokens.map(() => null));
  expect(await enter(['owners'])).toMatchObject({ token: expect.any(String) });
});

test(`${ROUNDS} rounds of sign-ins by password and link while sign-ins are ended: none that began before is left`, async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const person = await personWith(pool, 'old');
  let checked: Promise<unknown> = Promise.resolve();
  const slow = passwords(() => sleep(Math.random() * 4).then(() => checked));
  let admitted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await setPassword(pool, person, 'old');
    // Both ends of the race are met, whatever the speed of the machine.
    const over = Promise.withResolvers<void>();
    if (round === 1) checked = over.promise;
    const links = await Promise.all([1, 2].map(() => signInLink({ pool }, { email: EMAIL, to: '/' })));
    const signIns = [
      ...[1, 2, 3].map(() => signInByPassword({ ...entry(pool), passwords: slow }, { email: EMAIL, password: 'old', ...AGENT })),
      ...links.map((link) => signInByLink(entry(pool), { code: codeOf(link?.path ?? ''), ...AGENT })),
    ];
    if (round === 0) await Promise.all(signIns);
    await sleep((round % 4) * 2);
    await endings[names[round % 2] ?? 'a reset'](pool, person);
    over.resolve();

    const made = (await Promise.all(signIns)).flatMap((one) => one ?? []);
    admitted += made.length;
    const live = await Promise.all(made.map((one) => signedInBy({ pool }, tokenOf(one))));
    expect(live.filter((one) => one !== null)).toEqual([]);
  }
  expect(admitted).toBeGreaterThan(0);
  expect(admitted).toBeLessThan(5 * ROUNDS);
});
