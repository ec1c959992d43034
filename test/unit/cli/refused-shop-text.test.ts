import { expect, test } from 'vitest';
import { refusedShopText } from '../../../src/cli/commands/shop.ts';

test('each field is named with its flag, and one that is not known with the field that was probably meant', () => {
  const fields = [
    { path: 'customerPhone', message: 'must be a phone number' },
    { path: 'auditRecipientEmails[0]', message: 'must be an e-mail address' },
    { path: 'compnyName', message: 'is not a known field' },
    { path: 'colour', message: 'is not a known field' },
    { path: '', message: 'must name at least one field to change' },
  ];

  expect(refusedShopText({ ok: false, status: 400, type: null, words: 'the shop is not right', fields }).split('\n')).toEqual([
    'the compliance service answered 400: the shop is not right',
    '  customerPhone (--customer-phone): must be a phone number',
    '  auditRecipientEmails[0] (--audit-recipient-emails): must be an e-mail address',
    '  compnyName: is not a known field; did you mean companyName?',
    '  colour: is not a known field',
    '  body: must name at least one field to change',
  ]);
});
