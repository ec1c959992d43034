import { expect, test } from 'vitest';
import { checkPassword, hashPassword } from '../../../src/platform/password-hash.ts';

test('a hash is a PHC string of argon2id with its own salt, and takes its password alone', async () => {
  const [one, other] = await Promise.all([hashPassword('three words'), hashPassword('three words')]);

  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await checkPassword('three words', one)).toEqual({ isRight: true, isOutdated: false });
  expect(await checkPassword('three words ', one)).toEqual({ isRight: false, isOutdated: false });
  expect(await checkPassword('three words', null)).toEqual({ isRight: false, isOutdated: false });
  await expect(checkPassword('three words', '$2b$10$other')).rejects.toThrow('no PHC string');
});

test('the same letters of another keyboard are the same password', async () => {
  const composed = 'Синият й влак';
  expect(await checkPassword(composed.normalize('NFD'), await hashPassword(composed))).toMatchObject({ isRight: true });
});

test('another program’s hash with other costs is read by what it says', async () => {
  // Of the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 24
  const foreign = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await checkPassword('password', foreign)).toEqual({ isRight: true, isOutdated: false });
  expect(await checkPassword('passwort', foreign)).toEqual({ isRight: false, isOutdated: false });
});
