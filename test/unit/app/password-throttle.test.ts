import { expect, test } from 'vitest';
import { PasswordThrottle } from '../../../src/app/ops/admin-auth.ts';
import { networkOf } from '../../../src/platform/http/request-origin.ts';

const ATTACKER = '192.0.2.1';
const OPERATOR = '198.51.100.1';
const MINUTE = 60_000;

function atTime(options: { size?: number } = {}) {
  const clock = { now: 0 };
  return { clock, throttle: new PasswordThrottle({ now: () => clock.now, ...options }) };
}

test('finding 6: after five wrong passwords each costs twice the wait, up to a minute', () => {
  const { clock, throttle } = atTime();
  const waits: number[] = [];

  for (let guess = 0; guess < 14; guess += 1) {
    throttle.failed(ATTACKER);
    waits.push(throttle.waitMs(ATTACKER));
    clock.now += throttle.waitMs(ATTACKER);
    expect(throttle.waitMs(ATTACKER)).toBe(0);
  }

  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((seconds) => seconds * 1000));
});

test('finding 6: two thousand guesses of one address take more than a day', () => {
  const { clock, throttle } = atTime();

  for (let guess = 0; guess < 2_000; guess += 1) {
    clock.now += throttle.waitMs(ATTACKER);
    throttle.failed(ATTACKER);
  }

  expect(clock.now).toBeGreaterThan(24 * 60 * MINUTE);
});

test('the right password ends the wait, and a quarter of an hour does', () => {
  const { clock, throttle } = atTime();
  for (let guess = 0; guess < 8; guess += 1) throttle.failed(ATTACKER);

  clock.now += 15 * MINUTE;
  const forgotten = throttle.waitMs(ATTACKER);
  for (let guess = 0; guess < 8; guess += 1) throttle.failed(ATTACKER);
  throttle.succeeded(ATTACKER);

  expect([forgotten, throttle.waitMs(ATTACKER)]).toEqual([0, 0]);
});

test('many addresses have one guess each, and lock out nobody', () => {
  const { throttle } = atTime();
  for (let n = 0; n < 200; n += 1) throttle.failed(`192.0.2.${n}`);

  expect(throttle.waitMs('192.0.2.7')).toBe(MINUTE);
  expect(throttle.waitMs(OPERATOR)).toBe(0);
});

test('it remembers a bounded number of addresses, those that failed last', () => {
  const { throttle } = atTime({ size: 2 });
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) for (let guess = 0; guess < 5; guess += 1) throttle.failed(address);

  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => throttle.waitMs(address) > 0)).toEqual([false, true, true]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:12::1', '2001:db8:0:12'],
  ['2001:DB8::12:0:0:0:1', '2001:db8:0:12'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s is of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
