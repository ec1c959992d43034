import { describe, expect, test } from 'vitest';
import { connectionSettings, type SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { runDry, seenIn } from '../../../../src/connect/base/dry-run.ts';
import { mappingProblems, openQuestions, questionsOf, settingsText } from '../../../../src/connect/pages/mapping-questions.ts';
import { facts, line, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';

const connectionOf = (settings: SettingsInput = {}) =>
  sampleConnection({ platform: 'woocommerce', trialSince: '2026-11-01T00:00:00Z', settings: connectionSettings.parse(settings) });
const order = (orderId: string, values: Parameters<typeof snapshot>[0] = {}) => ({ orderId, facts: facts({ snapshot: snapshot(values) }) });
const NOTHING = { rates: [], gateways: [], statuses: [] };

describe('the questions about a store', () => {
  test('are of the rates and payment methods that it has, and of those that its orders have', () => {
    const orders = [
      order('1'),
      order('2', { gateways: ['econt_pay'], lines: [line({ vatRate: '9.0' })], status: 'econt-delivered' }),
      order('3', { test: true }),
    ];
    const inspection = {
      rates: [
        { rate: '20.0', name: 'ДДС', country: 'BG' },
        { rate: '0', name: '', country: 'BG' },
      ],
      gateways: [
        { id: 'bacs', title: 'Банков превод', enabled: true },
        { id: 'epay', title: 'ePay', enabled: true },
        { id: 'cheque', title: 'Чек', enabled: false },
      ],
      statuses: [{ id: 'packed', name: 'Опакована' }],
    };

    const questions = questionsOf(connectionOf(), inspection, seenIn(orders));

    expect(questions.rates).toEqual([
      { rate: '20', group: 'GROUP_B', basis: 'known', orders: 1 },
      { rate: '9', group: 'GROUP_D', basis: 'asked', orders: 1 },
      { rate: '0', group: '', basis: 'asked', orders: 0 },
    ]);
    expect(questions.gateways).toMatchObject([
      { id: 'econt_pay', title: null, type: 'POSTAL_PAYMENT', basis: 'asked', orders: 1, isOnDelivery: true },
      { id: 'stripe', type: 'PAYMENT_PROCESSOR', processor: 'Stripe', basis: 'known', orders: 1, isOnDelivery: false },
      { id: 'bacs', title: 'Банков превод', type: 'BANK_TRANSFER', basis: 'asked', orders: 0 },
      { id: 'epay', title: 'ePay', type: '', basis: 'asked', orders: 0 },
    ]);
    expect(questions.statuses).toEqual([
      { id: 'packed', name: 'Опакована', orders: 0, isPaid: false },
      { id: 'econt-delivered', name: null, orders: 1, isPaid: false },
    ]);
    expect(openQuestions(questions)).toBe(5);
  });

  test('are answered by the settings', () => {
    const said = {
      vatGroups: { '9.00': 'GROUP_D' },
      payments: { epay: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'ePay' } },
      paidStatuses: ['packed'],
    };

    const questions = questionsOf(connectionOf(said), NOTHING, seenIn([]));

    expect(questions).toEqual({
      rates: [{ rate: '9', group: 'GROUP_D', basis: 'said', orders: 0 }],
      gateways: [{ id: 'epay', title: null, type: 'PAYMENT_PROCESSOR', processor: 'ePay', basis: 'said', orders: 0, isOnDelivery: false }],
      statuses: [{ id: 'packed', name: null, orders: 0, isPaid: true }],
      onDelivery: null,
    });
    expect(openQuestions(questions)).toBe(0);
  });

  test('have no statuses where the platform’s are all known', () => {
    expect(questionsOf(sampleConnection(), null, seenIn([order('1', { status: 'any' })])).statuses).toEqual([]);
  });
});

describe('when orders that are paid on delivery are recorded', () => {
  const inTransit = (orderId: string, values: Parameters<typeof snapshot>[0] = {}) =>
    order(orderId, { payment: 'unpaid', onItsWay: true, gateways: ['cod'], status: 'processing', ...values });
  const askedOf = (orders: ReturnType<typeof order>[], settings: SettingsInput = {}) => questionsOf(connectionOf(settings), null, seenIn(orders)).onDelivery;

  test('is asked where some are paid so, with how many are on their way', () => {
    const cards = inTransit('3', { gateways: ['cod', 'stripe'] });
    const arrived = inTransit('4', { payment: 'paid' });

    expect(askedOf([inTransit('1'), inTransit('2'), cards, arrived])).toEqual({ paidWhen: 'completed', orders: 2 });
    expect(askedOf([inTransit('1'), inTransit('2', { status: 'delivered' })], { codPaidWhen: 'processing', paidStatuses: ['delivered'] })).toEqual({
      ...{ paidWhen: 'processing', orders: 1 },
    });
  });

  test('is asked where the store itself says that they are, whatever the method is called', () => {
    expect(askedOf([inTransit('1', { payment: 'on-delivery', gateways: ['barter'] })])).toEqual({ paidWhen: 'completed', orders: 1 });
  });

  test('is not asked where nothing is', () => {
    expect(askedOf([order('1'), inTransit('2', { gateways: [] }), inTransit('3', { gateways: ['barter'] })])).toBeNull();
  });
});

test('answers that can’t be taken are named', () => {
  const gateways = [
    { id: 'a', type: 'PAYMENT_PROCESSOR', processor: '', isOnDelivery: false },
    { id: 'b', type: 'GOLD', processor: '', isOnDelivery: false },
    { id: 'c', type: '', processor: '', isOnDelivery: false },
    { id: 'd', type: 'VIRTUAL_POS', processor: 'Borica', isOnDelivery: false },
    { id: 'e', type: 'VIRTUAL_POS', processor: '21012345', isOnDelivery: false },
  ];

  expect(
    mappingProblems({
      rates: [
        { rate: '9', group: 'GROUP_X' },
        { rate: '0', group: '' },
      ],
      gateways,
      ...{ paidStatuses: [], codPaidWhen: '' },
    }),
  ).toEqual([
    { of: 'rate', id: '9', problem: 'unknown' },
    { of: 'gateway', id: 'a', problem: 'nameless' },
    { of: 'gateway', id: 'b', problem: 'unknown' },
    { of: 'gateway', id: 'd', problem: 'nameless' },
  ]);
});

test('anyone who says that something is paid on delivery says when it is recorded', () => {
  const gateways = [{ id: 'cod', type: 'POSTAL_PAYMENT', processor: '', isOnDelivery: true }];
  const answers = (codPaidWhen: string) => ({ rates: [], gateways, paidStatuses: [], codPaidWhen });

  for (const open of ['', 'never']) expect(mappingProblems(answers(open))).toEqual([{ of: 'on-delivery', id: '', problem: 'open' }]);
  for (const said of ['completed', 'processing']) expect(mappingProblems(answers(said))).toEqual([]);
});

test('the settings that the page is about are the same text in any order, and with or without defaults', () => {
  expect(settingsText({ vatGroups: { '9': 'GROUP_D', '0': 'GROUP_A' } })).toBe(
    settingsText(connectionSettings.parse({ vatGroups: { '0': 'GROUP_A', '9': 'GROUP_D' } })),
  );
  expect(settingsText({ codGateways: [] })).not.toBe(settingsText({}));
  expect(settingsText({ codPaidWhen: 'processing' })).not.toBe(settingsText({}));
});

describe('a dry run', () => {
  test('says how many orders would be recorded, what they come to, and what stops the others, trial or not', () => {
    const orders = [
      order('1'),
      order('2', { total: '12.00', lines: [line({ gross: '12.00' })] }),
      order('3', { gateways: ['barter'], number: '#3' }),
      order('4', { payment: 'unpaid' }),
    ];

    expect(runDry(orders, connectionOf())).toEqual({
      ...{ orders: 3, recorded: 2, sum: '36.00 EUR', rounded: 0 },
      stopped: [{ code: 'payment.unmapped', orders: 1, numbers: ['#3'] }],
      leftOut: [{ why: 'unpaid', orders: 1 }],
    });
  });

  test('counts orders whose lines miss their total by rounding: they are read with all decimals later', () => {
    const rounded = order('1', { total: '23.99', mayBeOff: '0.02' });

    expect(runDry([rounded], connectionOf())).toMatchObject({ orders: 1, recorded: 1, sum: '23.99 EUR', rounded: 1 });
    expect(runDry([order('1', { total: '20.00' })], connectionOf())).toMatchObject({ recorded: 0, stopped: [{ code: 'total.mismatch' }] });
  });

  test('of an order that could not be read says so', () => {
    expect(runDry([{ orderId: '9', facts: facts({ snapshot: null }) }], connectionOf()).leftOut).toEqual([{ why: 'unknown', orders: 1 }]);
  });
});
