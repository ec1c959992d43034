import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { purposeOf } from '../../../src/operations/keys/sealed-columns.ts';
import { type DataKey, keyring } from '../../../src/platform/keyring.ts';
import { newKey, type SealedPlace } from '../../../src/platform/seal.ts';

const secrets = { table: 'bridge.connections', column: 'secrets', id: '1' };
const buyers = { table: 'bridge.orders', column: 'open_step', id: '1' };
const cookie = { table: 'cookie', column: 'oidc', id: '' };
const dataKey = (purpose: string, isCurrent = true): DataKey => ({ ...newKey(), purpose, isCurrent });

function ring(keys: readonly DataKey[], problem: string | null = null) {
  const unknown = { times: 0 };
  const broken: SealedPlace[] = [];
  const made = keyring({
    purposeOf,
    digests: 'links',
    marks: 'marks',
    problem,
    onBroken: (place) => broken.push(place),
    onUnknown: () => {
      unknown.times += 1;
    },
  });
  made.take(keys);
  return { ...made, unknown, broken };
}

test('a text is sealed with the key of its place’s purpose, and names it', () => {
  const keys = [dataKey('secrets'), dataKey('buyers'), dataKey('links')];
  const { seal, open, sealBytes, openBytes } = ring(keys);

  expect(seal('a', secrets)).toMatch(new RegExp(`^v1\\.${keys[0]?.id}\\.`));
  expect(seal('a', buyers)).toMatch(new RegExp(`^v1\\.${keys[1]?.id}\\.`));
  expect(seal('a', { table: 'cookie', column: 'oidc', id: '' })).toMatch(new RegExp(`^v1\\.${keys[2]?.id}\\.`));
  expect(open(seal('a', buyers), buyers)).toBe('a');
  expect(openBytes(sealBytes(Buffer.from('b'), secrets), secrets).toString()).toBe('b');
  expect(() => open(seal('a', secrets), buyers)).toThrow('sealed for another row');
});

test('a former key only opens, and its digests are no longer made', () => {
  const [former, links] = [dataKey('secrets'), dataKey('links')];
  const { seal, open, digest, take } = ring([former, links]);
  const [sealed, before] = [seal('a', secrets), digest('b')];
  const current = dataKey('secrets');

  take([{ ...former, isCurrent: false }, current, { ...links, isCurrent: false }, dataKey('links')]);

  expect(open(sealed, secrets)).toBe('a');
  expect(seal('a', secrets)).toContain(current.id);
  expect(digest('b')).not.toBe(before);
});

test('of a key that is not known, the ring says so', () => {
  const { open, openBytes, unknown, broken } = ring([]);
  const other = ring([dataKey('secrets')]);

  expect(() => open(other.seal('a', secrets), secrets)).toThrow('none of ENCRYPTION_KEYS');
  expect(() => openBytes(other.sealBytes(Buffer.from('a'), secrets), secrets)).toThrow('none of ENCRYPTION_KEYS');
  expect(unknown.times).toBe(2);
  for (const form of ['v2.abc', Buffer.from([9])]) {
    const opens = () => (typeof form === 'string' ? open(form, secrets) : openBytes(form, secrets));
    expect(opens).toThrow('written by a newer one');
  }
  expect(unknown.times).toBe(2);
  expect(broken).toEqual([]);
});

test('a key that two readings of all keys did not bring does not exist: what names it is broken, and named', () => {
  const coming = dataKey('secrets');
  const [lost, later] = [ring([dataKey('secrets')]).seal('a', secrets), ring([coming]).seal('b', secrets)];
  const { open, take, broken } = ring([]);
  const opens = () => open(lost, secrets);

  for (const keys of [[], []]) {
    expect(opens).toThrow('none of ENCRYPTION_KEYS');
    expect(() => open(later, secrets)).toThrow('none of ENCRYPTION_KEYS');
    take(keys);
  }

  expect(opens).toThrow('a key that the database does not have');
  expect(() => open(ring([dataKey('links')]).seal('a', cookie), cookie)).toThrow('none of ENCRYPTION_KEYS');
  expect(broken).toEqual([secrets]);
  take([coming]);
  expect(open(later, secrets)).toBe('b');
  expect(() => open(later, buyers)).toThrow('sealed for another row');
  expect(broken).toEqual([secrets, buyers]);
});

test('without a key nothing is sealed, and the words say why', () => {
  expect(() => ring([]).seal('a', secrets)).toThrow('there is no data key for secrets');
  expect(() => ring([], 'the key is another').digest('a')).toThrow('the key is another');
  expect(
    ring([dataKey('lookup')])
      .sealerFor('lookup')
      .digest('a'),
  ).toHaveLength(22);
});

test('a column that no rotation looks for can’t be sealed', () => {
  const { seal } = ring([dataKey('secrets'), { id: randomBytes(4).toString('hex'), purpose: 'people', key: randomBytes(32), isCurrent: true }]);

  expect(() => seal('a', { ...secrets, column: 'name' })).toThrow('bridge.connections.name is not among the sealed columns');
});
