import { expect, test } from 'vitest';
import { connectSteps } from '../../../../../src/bridge/storefronts/woocommerce/onboarding.ts';

const GOOD = 'https://bridge.example/webhooks/woocommerce/c_1';

test('says what the four forms must say, in the words of the form', () => {
  const text = connectSteps(GOOD).join('\n');

  for (const words of ['four webhooks', 'Status: Active', 'Order created; Order updated; Order deleted; Order restored', 'WP REST API Integration v3', GOOD])
    expect(text).toContain(words);
  expect(text).toContain('may take minutes');
  expect(text).not.toContain('No store can use this address');
});

test.each([
  'https://bridge.example:443/x',
  'https://bridge.example:8080/x',
  'https://172.15.0.1/x',
  'https://172.32.0.1/x',
  'https://10.example/x',
  'https://[2a00:1450::1]/x',
  'no address',
])('%s is an address that stores can use', (address) => {
  expect(connectSteps(address)[0]).not.toContain('No store can use');
});

test.each([
  ['https://bridge.example:3000/x', ['its port is 3000']],
  ['http://bridge.example/x', ['it is not https']],
  ['http://localhost:3000/x', ['its port is 3000', 'localhost is no public host', 'it is not https']],
  ['https://127.0.0.1/x', ['no public host']],
  ['https://10.1.2.3/x', ['no public host']],
  ['https://192.168.1.2/x', ['no public host']],
  ['https://172.16.0.1/x', ['no public host']],
  ['https://172.31.255.1/x', ['no public host']],
  ['https://[::1]/x', ['no public host']],
  ['https://[fd00::1]/x', ['no public host']],
  ['https://bridge/x', ['no public host']],
  ['https://bridge.local/x', ['no public host']],
])('%s is none, and it is said why', (address, why) => {
  const [first = ''] = connectSteps(address);

  expect(first).toContain('No store can use this address (PUBLIC_URL)');
  for (const words of why) expect(first).toContain(words);
});
