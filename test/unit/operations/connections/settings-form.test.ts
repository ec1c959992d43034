import { expect, test } from 'vitest';
import type { SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { settingsOfForm, singleSettings, type TypedSettings, typedSettings } from '../../../../src/console/pages/store/settings.ts';

const WRITTEN: SettingsInput = {
  vatGroups: { '9': 'GROUP_D' },
  payments: { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' }, 'a.b': { paymentType: 'OTHER' } },
  recordFrom: '2026-01-01T00:00:00+02:00',
  quietSeconds: 0,
  codGateways: [],
  paidStatuses: ['delivered', 'handed-over'],
  pricesContainVat: null,
  receipts: true,
};

test.each<{ written: SettingsInput }>([{ written: WRITTEN }, { written: {} }])('a form that nobody touched changes nothing: $written', ({ written }) => {
  expect(settingsOfForm(typedSettings(written), written)).toEqual({ ok: true, settings: written });
});

test('each setting with one value is asked, with its default', () => {
  expect(singleSettings()).toContainEqual({ name: 'giftCards', kind: 'choice', choices: ['review', 'ignore', 'record'], usual: 'review' });
  expect(singleSettings()).toContainEqual({ name: 'receipts', kind: 'yes-no', choices: [], usual: 'false' });
  expect(singleSettings()).toContainEqual({ name: 'codGateways', kind: 'list', choices: [], usual: 'cod' });
  expect(singleSettings()).toContainEqual({ name: 'convertTo', kind: 'choice', choices: ['BGN', 'EUR'], usual: '' });
  expect(singleSettings().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['number', 'text', 'instant']));
});

function changed(changes: Partial<TypedSettings>): SettingsInput | string[] {
  const read = settingsOfForm({ ...typedSettings(WRITTEN), ...changes }, WRITTEN);
  return read.ok ? read.settings : read.problems.map(({ en }) => en);
}

test('what is typed is read as its setting is; what is emptied is as usual', () => {
  const { single } = typedSettings(WRITTEN);
  const typed = { ...single, quietSeconds: '2.5', receipts: 'false', paidStatuses: ' a, ,b ', recordFrom: '', convertTo: 'EUR' };
  const { recordFrom: _emptied, ...rest } = WRITTEN;

  expect(changed({ single: typed })).toEqual({ ...rest, quietSeconds: 2.5, receipts: false, paidStatuses: ['a', 'b'], convertTo: 'EUR' });
});

test('a row without a choice is none; a rate may have its sign', () => {
  const vatGroups = [
    { rate: '20 %', group: 'GROUP_B' },
    { rate: '9', group: '' },
  ];
  const payments = [
    { gateway: 'cod', type: 'POSTAL_PAYMENT', processor: '' },
    { gateway: 'stripe', type: '', processor: 'Stripe' },
  ];

  expect(changed({ vatGroups, payments })).toMatchObject({ vatGroups: { '20': 'GROUP_B' }, payments: { cod: { paymentType: 'POSTAL_PAYMENT' } } });
  expect(changed({ vatGroups: [], payments: [] })).not.toHaveProperty('payments');
});

test('what is not right is said with its path', () => {
  const { single } = typedSettings(WRITTEN);

  expect(changed({ single: { ...single, ratePerSecond: 'many', giftCards: 'maybe' } })).toEqual([
    expect.stringContaining('ratePerSecond'),
    expect.stringContaining('giftCards'),
  ]);
  expect(changed({ vatGroups: [{ rate: 'nine', group: 'GROUP_D' }] })).toEqual([expect.stringContaining('nine')]);
  expect(changed({ payments: [{ gateway: '', type: 'OTHER', processor: '' }] })).toHaveLength(1);
});

test('and in Bulgarian', () => {
  const { single } = typedSettings(WRITTEN);
  const typed = {
    ...typedSettings(WRITTEN),
    single: { ...single, ratePerSecond: 'many', giftCards: 'revew' },
    vatGroups: [{ rate: 'nine', group: 'GROUP_D' }],
  };
  const read = settingsOfForm(typed, {});

  expect(read.ok ? [] : read.problems.map(({ bg }) => bg).toSorted()).toEqual([
    'giftCards трябва да е едно от review, ignore, record; може би review?',
    'ratePerSecond трябва да е число',
    'vatGroups.nine трябва да е ставка на ДДС в проценти, например "20"',
  ]);
});
