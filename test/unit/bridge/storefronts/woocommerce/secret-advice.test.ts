import { expect, test } from 'vitest';
import { secretAdvice } from '../../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';

test.each(['ab%41cd', 'ab%e2%82%ac', 'a<b>c', 'less < more', 'two  spaces', ' ahead', 'behind ', 'a\ttab', 'a line\nbreak'])(
  'the form would change %j',
  (secret) => {
    expect(secretAdvice(secret)).toContain('`openssl rand -hex 32`');
    expect(secretAdvice(secret)).not.toContain(secret);
  },
);

test.each(['0f'.repeat(32), 'with one space', '100%', 'a%4', 'a>b', 'ключ', `q'"\\&;#`])('the form leaves %j as it is', (secret) => {
  expect(secretAdvice(secret)).toBeNull();
});
