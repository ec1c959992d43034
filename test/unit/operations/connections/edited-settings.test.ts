import { expect, test } from 'vitest';
import type { SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { editedSettings } from '../../../../src/operations/connections/edited-settings.ts';
import { settingsDifference } from '../../../../src/operations/connections/show-settings.ts';

const before: SettingsInput = { vatGroups: { '9': 'GROUP_D' }, payments: { cod: { paymentType: 'POSTAL_PAYMENT' } }, freeOrders: 'record' };

function edited(set: string[], unset: string[] = []): SettingsInput {
  return editedSettings(before, { set, unset });
}

test.each<[string, [set: string[], unset: string[]], SettingsInput]>([
  ['a group', [['vatGroups.20=GROUP_C'], []], { ...before, vatGroups: { '9': 'GROUP_D', '20': 'GROUP_C' } }],
  ['a rate that is written otherwise', [['vatGroups.9.0=GROUP_C'], []], { ...before, vatGroups: { '9': 'GROUP_C' } }],
  ['a gateway', [['payments.x.y.paymentType=OTHER'], []], { ...before, payments: { ...before.payments, 'x.y': { paymentType: 'OTHER' } } }],
  ['a gateway whole', [['payments.x={"paymentType":"OTHER"}'], []], { ...before, payments: { ...before.payments, x: { paymentType: 'OTHER' } } }],
  [
    'JSON',
    [['receipts=true', 'quietSeconds=5', 'codGateways=["cod","econt"]'], []],
    { ...before, receipts: true, quietSeconds: 5, codGateways: ['cod', 'econt'] },
  ],
  ['a rate as text', [['pricesContainVat=20'], []], { ...before, pricesContainVat: '20' }],
  ['nothing more', [[], ['freeOrders', 'payments.cod', 'vatGroups.9']], { vatGroups: {}, payments: {} }],
  ['something else instead', [['payments.cod.paymentType=OTHER'], ['payments.cod']], { ...before, payments: { cod: { paymentType: 'OTHER' } } }],
])('%s is set', (_what, changes, after) => {
  expect(edited(...changes)).toEqual(after);
});

test.each<[string, [set: string[], unset: string[]], RegExp]>([
  ['an unknown name', [['recordFrm=x'], []], /nothing was changed:\n {2}recordFrm is not known; did you mean recordFrom\?/],
  ['a gateway without a type', [['payments.x.paymentProcessorName=X'], []], /payments\.x\.paymentType is missing/],
  ['a value that is not taken', [['freeOrders=ignor'], []], /freeOrders must be one of ignore, record; did you mean ignore\?/],
  ['a zone that no place has', [['recordFrom=2026-12-01T00:00:00+20:00'], []], /recordFrom must be a time with its zone, such as 2026-12-01T00:00:00\+02:00/],
  ['no value', [['freeOrders'], []], /a path, = and a value are expected/],
  ['an open quote', [['payments."x=OTHER'], []], /a path, = and a value are expected/],
  ['an open quote of what is unset', [[], ['payments."x']], /a quote is not closed/],
  ['what is not set', [[], ['payments.cods']], /payments\.cods is not set; did you mean cod\?; nothing was changed/],
  ['a name that every object has', [['__proto__.x=1'], []], /not known/],
])('%s is refused', (_what, changes, words) => {
  expect(() => edited(...changes)).toThrow(words);
});

test('the difference names each group, payment and setting', () => {
  const after = edited(['vatGroups.20=GROUP_C', 'payments.cod.paymentType=OTHER', 'codGateways=["cod"]'], ['freeOrders']);

  expect(settingsDifference(before, after)).toEqual([
    { path: 'payments.cod.paymentType', before: 'POSTAL_PAYMENT', after: 'OTHER' },
    { path: 'freeOrders', before: 'record', after: undefined },
    { path: 'vatGroups.20', before: undefined, after: 'GROUP_C' },
    { path: 'codGateways', before: undefined, after: ['cod'] },
  ]);
  expect(settingsDifference(before, { ...before })).toEqual([]);
});
