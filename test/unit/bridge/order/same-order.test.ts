import { describe, expect, test } from 'vitest';
import type { Facts, OrderNews, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../../src/bridge/order/facts/merge.ts';
import { type Candidate, identityTexts, isAnother, otherOrderWords, routeOf } from '../../../../src/bridge/order/facts/same-order.ts';
import { at, facts, line, news, refund, snapshot, transaction } from '../../../support/samples/order-facts.ts';

const JULY = '2026-07-01T10:00:00Z';
const AUGUST = '2026-08-01T10:00:00Z';

/** Sold in July; no payment and no line of it has the id of another order's. */
const maria = (values: Partial<Snapshot> = {}) =>
  snapshot({ createdAt: JULY, transactionId: 'pi_maria', lines: [line({ id: '70', name: 'Coat' })], ...values });
/** Sold in August, under the same id. */
const ivan = (values: Partial<Snapshot> = {}) => snapshot({ createdAt: AUGUST, transactionId: 'pi_ivan', lines: [line({ id: '71', name: 'Cap' })], ...values });

const told = (values: Partial<OrderNews>) => factsOf(news(values), at('18:00'));
const known = (values: Partial<Snapshot> = {}, also: Partial<Parameters<typeof facts>[0]> = {}) => facts({ snapshot: maria(values), ...also });

function candidate(of: Facts, values: Partial<Candidate> = {}): Candidate {
  return { facts: of, isRecorded: true, isIdle: false, ...values };
}

describe('news is of the known order', () => {
  test.each<[string, Facts, Snapshot]>([
    ['if it was placed at the same moment', known(), ivan({ createdAt: JULY })],
    ['if it was placed at the same moment, in another time zone', known(), ivan({ createdAt: '2026-07-01T13:00:00+03:00' })],
    ['if its moment has decimals in one message alone', known(), ivan({ createdAt: '2026-07-01T10:00:00.483Z' })],
    ['if the moment was rewritten, and the payment is the same', known(), ivan({ transactionId: 'pi_maria' })],
    ['if the payment is known as a transaction', known({ transactionId: null }, { transactions: [transaction({ reference: 'pi_ivan' })] }), ivan()],
    ['if the key is the same, though nothing else is', known({ identity: 'k1' }), ivan({ identity: 'k1' })],
    ['if only parts of it are known so far', facts({ snapshot: null }), ivan()],
    ['if a person said so of its moment', { ...known(), identities: ['2026-08-01T10:00:00.000Z'] }, ivan()],
    ['if a person said so of its key', { ...known({ identity: 'k1' }), identities: ['k2'] }, ivan({ identity: 'k2' })],
    [
      'if a person said so of its moment, before its key was read',
      { ...known({ identity: 'k1' }), identities: identityTexts(ivan()) },
      ivan({ identity: 'k2' }),
    ],
  ])('%s', (_when, before, after) => {
    expect(isAnother(candidate(before), told({ snapshot: after }))).toBe(false);
    expect(routeOf([candidate(before)], told({ snapshot: after }))).toEqual({ to: 0, anew: false });
  });

  test('if it is a draft that was placed later: its key decides, not its moment', () => {
    const draft = facts({ snapshot: maria({ identity: 'k1', lifecycle: 'draft', lines: [] }) });

    expect(routeOf([candidate(draft, { isRecorded: false })], told({ snapshot: ivan({ identity: 'k1' }) }))).toEqual({ to: 0, anew: false });
  });

  test('if it is not the order itself', () => {
    expect(isAnother(candidate(known()), told({ deleted: true }))).toBe(false);
  });
});

describe('news is of another order', () => {
  test.each<[string, Facts, Snapshot]>([
    ['if it was placed at another moment, and nothing ties it', known(), ivan()],
    ['if a line has the same id, and another name', known(), ivan({ lines: [line({ id: '70', name: 'Cap' })] })],
    ['if a line has the same name, and another id', known(), ivan({ lines: [line({ id: '72', name: 'Coat' })] })],
    ['if neither has a payment’s id', known({ transactionId: null }), ivan({ transactionId: null })],
    ['if the keys differ: they alone decide', known({ identity: 'k1' }), maria({ identity: 'k2' })],
    ['if a person said that a third one is the same', { ...known(), identities: ['k3'] }, ivan({ identity: 'k2' })],
  ])('%s', (_when, before, after) => {
    expect(isAnother(candidate(before), told({ snapshot: after }))).toBe(true);
    expect(routeOf([candidate(before)], told({ snapshot: after }))).toBe('another');
  });
});

describe('A4 C: a shop was built anew: its first line has the id and the name of the older sale’s', () => {
  const sameGoods = ivan({ lines: maria().lines });
  const unpaid = (email: string | undefined, of: Snapshot) =>
    told({ snapshot: { ...of, payment: 'unpaid', transactionId: null }, customer: email === undefined ? {} : { email } });
  const isOther = (before: Facts, after: Facts) => isAnother({ facts: before, isRecorded: false }, after);

  test('core 5: beside a sale it is another order, also if buyers are erased or unknown', () => {
    expect(isAnother(candidate(known()), told({ snapshot: sameGoods }))).toBe(true);
    expect(isAnother(candidate({ ...known({ transactionId: null }), customer: { kind: 'erased' } }), told({ snapshot: sameGoods }))).toBe(true);
    expect(isOther({ ...known({ transactionId: null }), customer: { kind: 'erased' } }, unpaid(undefined, sameGoods))).toBe(true);
  });

  test('another buyer’s is another order, also if nothing was paid', () => {
    expect(isOther(unpaid('maria@example.invalid', maria()), unpaid('ivan@example.invalid', sameGoods))).toBe(true);
  });

  test.each<[string, string | undefined, string | undefined]>([
    ['the same buyer’s', 'maria@example.invalid', ' Maria@Example.invalid'],
    ['one whose buyer is not known', 'maria@example.invalid', undefined],
    ['one whose buyer was not known', undefined, 'ivan@example.invalid'],
  ])('%s is taken for the same while nothing was paid', (_whose, before, after) => {
    expect(isOther(unpaid(before, maria()), unpaid(after, sameGoods))).toBe(false);
  });

  test('one whose buyer is erased is taken for the same while nothing was paid', () => {
    const erased: Facts = { ...unpaid('maria@example.invalid', maria()), customer: { kind: 'erased' } };

    expect(isOther(erased, unpaid('ivan@example.invalid', sameGoods))).toBe(false);
    expect(isOther(unpaid('ivan@example.invalid', sameGoods), erased)).toBe(false);
  });
});

describe('the known order is given up', () => {
  const unpaid = (values: Partial<Snapshot> = {}) => facts({ snapshot: maria({ payment: 'unpaid', ...values }), paidSeenAt: null });
  const idle = { isRecorded: false, isIdle: true };
  const anew = { to: 0, anew: true };

  test.each<[string, Candidate, ReturnType<typeof routeOf>]>([
    ['if it was a visitor’s basket', candidate(unpaid({ lifecycle: 'draft' }), { isRecorded: false }), anew],
    ['if it was never paid', candidate(unpaid(), idle), anew],
    ['but not if it was paid before it became a draft', candidate({ ...unpaid({ lifecycle: 'draft' }), paidSeenAt: at('10:00') }, idle), 'another'],
    ['but not if it was placed later', candidate(unpaid({ createdAt: '2026-09-01T10:00:00Z' }), idle), 'another'],
    ['but not if it was paid', candidate(known(), idle), 'another'],
    ['but not if it was paid once', candidate({ ...unpaid(), paidSeenAt: at('10:00') }, idle), 'another'],
    ['but not if it is on its way', candidate(unpaid({ onItsWay: true }), idle), 'another'],
    ['but not if it is to be paid on delivery', candidate(unpaid({ payment: 'on-delivery' }), idle), 'another'],
    ['but not before it was decided', candidate(unpaid(), { isRecorded: false }), 'another'],
    ['but not if something of it is recorded', candidate(unpaid({ lifecycle: 'draft' })), 'another'],
  ])('%s', (_when, before, route) => {
    expect(routeOf([before], told({ snapshot: ivan() }))).toEqual(route);
  });
});

test('a visitor’s basket under the id of an order goes nowhere', () => {
  expect(routeOf([candidate(known())], told({ snapshot: ivan({ lifecycle: 'draft', payment: 'unpaid' }) }))).toBe('nowhere');
  expect(routeOf([candidate(known())], told({ snapshot: ivan({ lifecycle: 'draft' }) }))).toBe('another');
});

describe('of two orders of one id', () => {
  const first = candidate(known({ refunds: [{ id: 'r1', amount: '1.00' }] }, { transactions: [transaction({ id: 't1' })] }));
  const second = candidate(facts({ snapshot: ivan(), refunds: [refund({ id: 'r2', transactions: ['t2'] })] }));
  const parts = candidate(facts({ snapshot: null }));

  test.each<[string, Partial<OrderNews>, number]>([
    ['the first gets its own states', { snapshot: maria({ total: '1.00' }) }, 0],
    ['the second gets its own states', { snapshot: ivan({ total: '1.00' }) }, 1],
    ['the one of the same moment gets a state that has a line of the other', { snapshot: maria({ lines: [line({ id: '71', name: 'Cap' })] }) }, 0],
    ['the one that it paid gets a state that has a line of the other', { snapshot: ivan({ createdAt: at('09:00'), transactionId: 'pi_maria' }) }, 0],
    [
      'the newer one gets a state that is tied to both',
      { snapshot: ivan({ createdAt: at('09:00') }), transactions: [transaction({ id: 't9', reference: 'pi_maria' })] },
      1,
    ],
    ['the one that lists a refund gets its details', { refunds: [refund({ id: 'r1', at: at('12:00') })] }, 0],
    ['the one that knows a refund gets the word that it was deleted', { withdrawn: ['r2'] }, 1],
    ['the one that knows a transaction gets its end', { transactions: [transaction({ id: 't1' })] }, 0],
    ['the one whose refund it carries gets a transaction', { transactions: [transaction({ id: 't2', reference: null })] }, 1],
    ['the one that it paid gets a transaction', { transactions: [transaction({ id: 't9', reference: 'pi_maria' })] }, 0],
    ['a refund from before the second was placed goes to the first', { refunds: [refund({ id: 'r9', at: '2026-07-20T10:00:00.000Z' })] }, 0],
    [
      'core 5: a refund that neither knows goes to the one that has its lines',
      { refunds: [refund({ id: 'r9', lines: [{ lineId: '70', quantity: '1', amount: '2.00' }] })] },
      0,
    ],
    [
      'a refund of lines that neither has goes to the newer one',
      { refunds: [refund({ id: 'r9', lines: [{ lineId: '7', quantity: '1', amount: '2.00' }] })] },
      1,
    ],
    ['a refund whose lines are not known goes to the newer one', { refunds: [refund({ id: 'r9', lines: null })] }, 1],
    ['a refund that neither knows goes to the newer one', { refunds: [refund({ id: 'r9' })] }, 1],
    ['a payment from before both goes to the newer one', { paidAt: '2026-01-01T10:00:00.000Z' }, 1],
    ['a deletion goes to the newer one', { deleted: true }, 1],
  ])('%s', (_what, values, to) => {
    const withdrawn = values.withdrawn === undefined ? {} : { withdrawn: Object.fromEntries(values.withdrawn.map((id) => [id, at('18:00')])) };
    const about = { ...told(values), ...withdrawn };

    expect(routeOf([first, second], about)).toEqual({ to, anew: false });
    expect(routeOf([second, first], about)).toEqual({ to: 1 - to, anew: false });
  });

  test('the one that is known as an order counts as newer than parts of one', () => {
    expect(routeOf([first, parts], told({ deleted: true }))).toEqual({ to: 0, anew: false });
    const ofLine = { refunds: [refund({ id: 'r9', lines: [{ lineId: '70', quantity: '1', amount: '2.00' }] })] };
    expect(routeOf([parts, first], told(ofLine))).toEqual({ to: 1, anew: false });
  });

  test('a third one is another one again', () => {
    expect(routeOf([first, second], told({ snapshot: snapshot({ transactionId: 'pi_3', lines: [] }) }))).toBe('another');
  });
});

test('what a person said of an order outlives every merge', () => {
  const said = (...identities: string[]): Facts => ({ ...facts(), identities });

  expect(merge(said('k2', 'k1'), said('k3', 'k1')).identities).toEqual(['k1', 'k2', 'k3']);
  expect(merge(facts(), said('k1')).identities).toEqual(['k1']);
  expect(merge(said('k1'), facts()).identities).toEqual(['k1']);
  expect(merge(facts(), facts())).not.toHaveProperty('identities');
});

test('a person reads both moments and totals', () => {
  expect(otherOrderWords({ orderId: '700', id: 4, snapshot: maria() }, ivan({ total: '12.00' }))).toBe(
    'The order 700 (id:4) was placed at 2026-07-01T10:00:00Z for 24.00 EUR; this one was placed at 2026-08-01T10:00:00Z for 12.00 EUR, and nothing ties it to the first.',
  );
  expect(otherOrderWords({ orderId: '700', id: null, snapshot: null }, ivan())).toMatch(/^The order 700 was not seen yet; this one was placed at/);
});
