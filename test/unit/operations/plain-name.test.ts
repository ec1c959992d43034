import { expect, test } from 'vitest';
import { nameOf } from '../../../src/operations/people/sign-in.ts';
import { refuseName, refuseStoreName } from '../../../src/operations/plain-name.ts';

test('a name that leads somewhere is refused, with what to do', () => {
  expect(() => refuseName('Мария')).not.toThrow();
  expect(() => refuseName('see evil.example')).toThrow(
    'without web and e-mail addresses, telephone numbers and hidden characters; if it has no address, put a space',
  );
});

test('a store may be called by its own address, and by nothing that is beside it', () => {
  const own = ['corner.myshopify.com', null, undefined, 'http://127.0.0.1:4000/'];

  for (const name of ['Corner', 'corner.myshopify.com', 'Corner.MyShopify.com', '127.0.0.1:4000']) expect(() => refuseStoreName(name, own)).not.toThrow();
  for (const name of ['evil.example', 'corner.myshopify.com/call', 'boss@corner.myshopify.com', 'corner.myshopify.com evil.example'])
    expect(() => refuseStoreName(name, own), name).toThrow('a name must be one line');
});

test('what a provider calls somebody is taken only if it is a name', () => {
  expect([nameOf({ name: ' Мария ' }), nameOf({ name: 'http://evil.example' }), nameOf({ name: 7 })]).toEqual(['Мария', '', '']);
});
