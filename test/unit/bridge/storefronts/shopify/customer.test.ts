import { expect, test } from 'vitest';
import { newsOf, orderBody } from './bodies.ts';

const billing = { first_name: 'Мария', last_name: 'Иванова', phone: '+359888000001' };
const shipping = { first_name: 'Иван', last_name: 'Иванов', phone: '+359888000002' };
const account = { first_name: 'M.', last_name: 'I.', phone: '+359888000003', email: 'account@example.invalid' };
const everything = {
  email: 'order@example.invalid',
  contact_email: 'contact@example.invalid',
  phone: '+359888000000',
  billing_address: billing,
  shipping_address: shipping,
  customer: account,
};

function customerOf(fields: Record<string, unknown>) {
  return newsOf('orders/updated', orderBody(fields)).customer;
}

test('the order’s own contact comes first, and the billing address gives the name', () => {
  expect(customerOf(everything)).toEqual({ email: 'order@example.invalid', phone: '+359888000000', firstName: 'Мария', lastName: 'Иванова' });
});

test('what is blank is looked for in the next place', () => {
  expect(customerOf({ ...everything, email: '', phone: null })).toMatchObject({ email: 'contact@example.invalid', phone: '+359888000001' });
  expect(customerOf({ shipping_address: shipping, customer: account })).toEqual({
    email: 'account@example.invalid',
    phone: '+359888000002',
    firstName: 'M.',
    lastName: 'I.',
  });
  expect(customerOf({ billing_address: { first_name: ' ', last_name: null }, customer: account })).toMatchObject({ phone: '+359888000003', firstName: 'M.' });
});

test('names are never mixed of two people', () => {
  expect(customerOf({ billing_address: { first_name: null, last_name: 'Иванова' }, customer: { first_name: 'M.' } })).toEqual({ lastName: 'Иванова' });
});

test.each([
  ['absent', {}],
  ['redacted', { email: null, contact_email: null, phone: null, billing_address: null, shipping_address: null, customer: null }],
  ['strange', { email: 7, contact_email: [], phone: {}, billing_address: 'Sofia', shipping_address: [], customer: { email: 7 } }],
])('a buyer who is %s is left out, and the sale stays', (_what, fields) => {
  const news = newsOf('orders/updated', orderBody(fields));

  expect(news).not.toHaveProperty('customer');
  expect(news.snapshot?.total).toBe('25.80');
});
