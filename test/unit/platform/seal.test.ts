import { randomBytes } from 'node:crypto';
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { SealBroken, type SealedPlace, sealer } from '../../../src/platform/seal.ts';

const key = randomBytes(32);
const place: SealedPlace = { table: 'bridge.connections', column: 'secrets', id: 'c_1' };

property.prop([fc.string({ unit: 'binary' }), fc.string()])('what is sealed opens again at its place', (text, id) => {
  const { seal, open } = sealer(key);

  expect(open(seal(text, { ...place, id }), { ...place, id })).toBe(text);
});

test('the same text is sealed differently each time, and unreadably', () => {
  const { seal } = sealer(key);

  expect(seal('hunter2', place)).not.toBe(seal('hunter2', place));
  expect(Buffer.from(seal('hunter2', place).slice('v1.12345678.'.length), 'base64url').toString('latin1')).not.toContain('hunter2');
});

test.for<[string, Partial<SealedPlace>]>([
  ['row', { id: 'c_2' }],
  ['column', { column: 'store_access' }],
  ['table', { table: 'bridge.destinations' }],
  ['place whose names run together to the same text', { column: 'secretsc', id: '_1' }],
])('what was sealed for another %s does not open, and the words say why', ([_what, other]) => {
  const { seal, open } = sealer(key);

  expect(() => open(seal('hunter2', { ...place, ...other }), place)).toThrow('it was sealed for another row or column');
});

test('another key is an error in words, told by the id of the key', () => {
  const sealed = sealer(randomBytes(32)).seal('hunter2', place);

  expect(mayOpen(() => sealer(key).open(sealed, place))).toBe(true);
  expect(() => sealer(key).open(sealed, place)).toThrow('none of ENCRYPTION_KEYS is the key it was sealed with');
});

test('bytes are sealed as text is', () => {
  const { sealBytes, openBytes } = sealer(key);
  const bytes = randomBytes(1_000);
  const sealed = sealBytes(bytes, place);

  expect(openBytes(sealed, place)).toEqual(bytes);
  expect(sealed.length).toBe(1_000 + 33);
  expect(() => openBytes(sealed, { ...place, id: 'c_2' })).toThrow('sealed for another row');
  expect(() => openBytes(sealer(randomBytes(32)).sealBytes(bytes, place), place)).toThrow('none of ENCRYPTION_KEYS');
});

test.for([3, 20, 40])('a change at character %i is noticed', (at) => {
  const sealed = sealer(key).seal('a secret that is long enough', place);
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);

  expect(() => sealer(key).open(changed, place)).toThrow('does not open');
});

test.for(['v1.', 'v1.AAAA'])('%s, cut short, does not open', (sealed) => {
  expect(() => sealer(key).open(sealed, place)).toThrow('does not open');
});

test.for(['v2.abc', 'v10.abc', Buffer.from([2, 1, 2, 3]), Buffer.from([15])])('a form of a later release may open there', (sealed) => {
  expect(() => opened(sealed)).toThrow('written by a newer one');
  expect(mayOpen(() => opened(sealed))).toBe(true);
});

test.for(['', 'x1.abc', 'v.abc', Buffer.alloc(0), Buffer.from([0, 1]), Buffer.from([0x91])])('what is in no form was changed, and opens nowhere', (sealed) => {
  expect(() => opened(sealed)).toThrow('changed in the database');
  expect(mayOpen(() => opened(sealed))).toBe(false);
});

const opened = (sealed: string | Buffer) => (typeof sealed === 'string' ? sealer(key).open(sealed, place) : sealer(key).openBytes(sealed, place));

function mayOpen(opening: () => unknown): boolean | null {
  try {
    opening();
    return null;
  } catch (thrown) {
    return thrown instanceof SealBroken ? thrown.mayOpen : null;
  }
}
