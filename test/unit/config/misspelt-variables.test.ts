import { expect, test } from 'vitest';
import { misspeltVariables, misspeltWords } from '../../../src/config/misspelt-variables.ts';

const found = (env: Record<string, string>) => misspeltVariables(env).map(misspeltWords);

test('a variable that is nearly one of ours is named with it', () => {
  expect(found({ PUBIC_URL: 'https://bridge.example', ENCRYPTION_KEYS_FLIE: '/run/key' })).toEqual([
    'PUBIC_URL is set, and nothing reads it; did you mean PUBLIC_URL?',
    'ENCRYPTION_KEYS_FLIE is set, and nothing reads it; did you mean ENCRYPTION_KEYS_FILE?',
  ]);
});

test('what begins as ours is named, though it is like none', () => {
  expect(found({ COMPLIANCE_SHOP: 'x' })).toEqual(['COMPLIANCE_SHOP is set, and nothing reads it; the table of variables has the names']);
});

test('the file of a variable that takes none is named, as nothing reads it', () => {
  expect(found({ PUBLIC_URL_FILE: '/run/url', MAIL_FROM_FILE: '/run/from', PORT_FILE: '/run/port', ADMIN_TOKEN_FILE: '/run/token' })).toEqual([
    'PUBLIC_URL_FILE is set, and nothing reads it; did you mean PUBLIC_URL?',
    'MAIL_FROM_FILE is set, and nothing reads it; did you mean MAIL_FROM?',
  ]);
});

test('known variables, unset ones, and those of other programs are not named', () => {
  const usual = { HOME: '/', PATH: '/bin', HOSTNAME: 'x', SHELL: 'sh', TERM: 'xterm', LANG: 'C', PORTS: '1', REDIS_HOST: 'x', LOGNAME: 'x', MAIL: 'x' };

  expect(found({ ...usual, PUBLIC_URL: 'x', ENCRYPTION_KEYS_FILE: 'x', PUBIC_URL: ' ' })).toEqual([]);
});
