import { describe, expect, test } from 'vitest';
import { type Action, nextAction } from '../../../../src/bridge/order/decisions/next-action.ts';
import { another, due, lostCreate, lostDelete, NOW, other, record, situations } from '../../../support/attempts/situations.ts';

const leave = { do: 'skip' } as const;
const receipt = { do: 'send', step: { kind: 'receipt', seq: 1, complianceId: 'c-1' }, wanted: null } as const;
const create = { do: 'send', step: { kind: 'create', seq: 1, record, uncertain: false }, wanted: { kind: 'record' } } as const;
const withoutReference = { ...create, step: { ...create.step, record: { ...record, transactionId: null } } } as const;
const remove = { do: 'send', step: { kind: 'delete', seq: 1, complianceId: 'c-1', uncertain: false } } as const;
const restored = { do: 'send', step: { kind: 'create', seq: 1, record: other, uncertain: false } } as const;
const ask = { do: 'review', problems: [{ code: 'seller.other' }] } as const;
const unproven = { do: 'review', problems: [{ code: 'removal.unproven' }] } as const;
const resendCreate = { do: 'send', step: lostCreate, wanted: null } as const;
const resendDelete = { do: 'send', step: lostDelete, wanted: null } as const;
const fetchOrder = { do: 'fetch', missing: { refundIds: [], deleted: false, order: true } } as const;
const confirm = { do: 'confirm', step: { kind: 'create', seq: 3 } } as const;

function saidBefore(words: string) {
  return { do: 'review', problems: [{ code: 'resolution.changed', detail: `Resolved by cli:ana@office at 2026-11-20T10:15:00.000Z ${words}` }] } as const;
}

function rest(state: Extract<Action, { do: 'end' }>['state']) {
  return { do: 'end', state } as const;
}

const expected: Record<keyof typeof situations, object> = {
  'nothing changed': leave,
  'nothing changed, and a receipt is due': receipt,
  'a person was asked': leave,
  'a person was asked, and the receipt of the current record is due': receipt,
  'a person was asked about a create, and the receipt of the record it replaces is due': leave,
  'the lines of a refund are not known': { do: 'fetch', missing: { refundIds: ['r1'], deleted: false } },
  'the lines of a refund are not known, and the store can’t be queried': { do: 'send', step: { kind: 'create' } },
  'the lines of a refund are not known, and the store did not answer for six hours': { do: 'review', problems: [{ code: 'storefront.refused' }] },
  'the lines of a refund are not known, the store did not answer for six hours, and the old record is deleted': restored,
  'the lines of a refund are not known, and it is a full one': remove,
  'the lines of a refund are not known, and a person must decide anyway': ask,
  'the order is said to be deleted': { do: 'fetch', missing: { refundIds: [], deleted: true } },
  'the order is said to be deleted, and all of it was refunded': rest('removed'),
  'the order is said to be deleted, and the store can’t be queried': { do: 'review', problems: [{ code: 'removal.unproven' }] },
  'the order is said to have changed': create,
  'the order is recorded, and said to have changed': rest('recorded'),
  'an order that is not known is said to have changed': rest('waiting'),
  'an order in the trash is said to have changed': fetchOrder,
  'an order in the trash is said to have changed, and the store can’t be queried': { do: 'review', problems: [{ code: 'removal.unproven' }] },
  'an order in the trash is said to have changed, and the store answered within the second of that': { do: 'wait', ms: 500 },
  'the order is said to be deleted, and to have changed since': { do: 'fetch', missing: { refundIds: [], deleted: true, order: true } },
  'a refund is said to be deleted': fetchOrder,
  'a refund is said to be deleted, and the store can’t be queried': { do: 'review', problems: [{ code: 'refund.deleted' }] },
  'a refund is said to be deleted, the store can’t be queried, and the order is not paid': rest('waiting'),
  'a refund is said to be deleted, where none can be': remove,
  'a refund is said to be deleted, and the store answered with a state that may be older': { do: 'wait', ms: 60_000 },
  'everything is known, and the store may be queried': create,

  'a record is desired, and none is recorded': create,
  'a record is desired, and it is recorded': rest('recorded'),
  'a record is desired, and another one is recorded': remove,
  'a person must decide, and nothing is recorded': ask,
  'a person must decide, and a record exists': ask,
  'what is left of the order is recorded, and a person must decide about the rest': { do: 'review', problems: [{ code: 'removal.unproven' }] },
  'a recorded order became a draft': unproven,
  'a recorded order became a draft, and its record is to be kept': rest('recorded'),
  'an order that was paid and never recorded became a draft': unproven,
  'a recorded order is called a test': unproven,
  'no record is desired, and one is recorded': remove,
  'no record is desired, and none is recorded: only its refund is known': rest('waiting'),
  'no record is desired, and none is recorded: it is not paid': rest('waiting'),
  'no record is desired, and none is recorded: a draft': rest('ignored'),
  'no record is desired, and none is recorded: a test': rest('ignored'),
  'no record is desired, and none is recorded: it is free': rest('ignored'),
  'no record is desired, and none is recorded: paid before `recordFrom`': rest('ignored'),
  'no record is desired, and none is recorded: its store is on trial': rest('ignored'),
  'no record is desired, and none is recorded: all of it was refunded': rest('removed'),
  'no record is desired, and none is recorded: removed without a refund': rest('removed'),

  'a person said that the record is right, and nothing is new': rest('resolved'),
  'a person said that the record is right, and something is new': remove,
  'a person said that another record is right, and nothing is new': remove,
  'a person said that it is no sale, and something is new': saidBefore('as not a sale, because “asked the shop”. New: 24.00 EUR should be recorded.'),
  'a person said that it is no sale, and it is refunded': saidBefore('as not a sale, because “asked the shop”. New: nothing should be recorded (refunded).'),
  'a person said that it is recorded elsewhere, and something is new that can’t be decided': saidBefore(
    'as recorded elsewhere, because “asked the shop”. New: seller.other: sold by another shop.',
  ),
  'a person said that it is recorded elsewhere, and a record of it was found': saidBefore(
    'as recorded elsewhere, because “asked the shop”. New: 24.00 EUR should be recorded; its record c-1 was found at the compliance service.',
  ),
  'a person said that a cancelled order is still a sale': create,
  'a person said that a cancelled order is still a sale, and something is new': { do: 'review', problems: [{ code: 'removal.unproven' }] },
  'a person said that a cancelled order is no sale': { ...remove, wanted: { kind: 'nothing', why: 'removed' } },
  'a person said that a cancelled order is no sale, and something is new': { do: 'review', problems: [{ code: 'removal.unproven' }] },
  'a person removed the record of a recorded order': { ...remove, wanted: { kind: 'nothing', why: 'removed' } },
  'a person removed the record of a recorded order, and it is gone': rest('removed'),
  'a person removed the record of a recorded order, and something is new': saidBefore(
    'as no longer a sale, because “asked the shop”. New: 24.00 EUR should be recorded.',
  ),
  'a person removed the record of a recorded order, and it is refunded': rest('removed'),

  'the payment’s transaction id comes later': { do: 'wait', ms: Date.parse('2026-11-20T11:01:00Z') - NOW },
  'the payment’s transaction id did not come in time': withoutReference,
  'the payment’s transaction id came': create,
  'the payment has no transaction id, and none comes later': withoutReference,

  'a gift card’s payment comes later': { do: 'wait', ms: Date.parse('2026-11-20T11:01:00Z') - NOW },
  'a gift card’s payment did not come in time': { do: 'review', problems: [{ code: 'total.mismatch' }] },

  'the old record is deleted, and another is desired': create,
  'the old record is deleted, another is desired, and its transaction id comes later': withoutReference,
  'the old record is deleted, and its replacement was refused': { ...restored, wanted: null },
  'the old record is deleted, and a person must decide': { ...restored, wanted: { kind: 'problems' } },
  'the old record is deleted, and no record is desired any more': rest('removed'),

  'the reply to a create was lost, and its key is honoured': resendCreate,
  'the reply to a create was lost, its key is honoured, and no record is desired any more': resendCreate,
  'the reply to a create was lost, its key is honoured, and its buyer is erased': confirm,
  'the reply to a create was lost, its key is honoured, and the order has another buyer': resendCreate,
  'the reply to a create was lost': confirm,
  'the reply to a create was lost, and the merchant says to resend': resendCreate,
  'the reply to a create was lost, the merchant says to resend, and another record is desired': confirm,
  'the reply to a create was lost, the merchant says to resend, and no record is desired any more': confirm,
  'the reply to a create was lost, the merchant says to resend, and a person must decide': confirm,
  'the 404 to a delete is not believed, and what is recorded is desired again': resendDelete,
  'the reply to a delete was lost': resendDelete,
};

describe('the next action', () => {
  test.each(Object.entries(situations))('when %s', (when, situation) => {
    expect(nextAction(situation)).toMatchObject(expected[when as keyof typeof situations]);
  });
});

describe('a step', () => {
  const sent = (situation: (typeof situations)[keyof typeof situations]) => {
    const action = nextAction(situation);
    return action.do === 'send' ? action.step : null;
  };
  const create = situations['a record is desired, and none is recorded'];

  test('goes where the connection says, a delete where the record is', () => {
    const elsewhere = { ...create, terms: { ...create.terms, destinationId: 'd2' } };
    const removal = { ...elsewhere, claim: { ...create.claim, current: another } };

    expect([sent(elsewhere)?.destinationId, sent(removal)?.destinationId]).toEqual(['d2', 'd1']);
  });

  test('has the number after the last one, and a create has it in its key', () => {
    expect(sent({ ...create, claim: { ...create.claim, stepSeq: 4 } })).toMatchObject({
      seq: 5,
      idempotencyKey: expect.stringMatching(/^orderbridge-[0-9a-f]{40}-5$/),
    });
  });

  test('that requests a receipt again has the number that it had', () => {
    const { claim, ...asked } = situations['nothing changed, and a receipt is due'];

    expect(sent({ ...asked, claim: { ...claim, stepSeq: 9, receipt: { ...due, seq: 2 } } })?.seq).toBe(2);
  });

  test.each([true, false])('that creates says whether a receipt is to follow: %s', (receipts) => {
    const { terms } = create;

    expect(sent({ ...create, terms: { ...terms, settings: { ...terms.settings, receipts } } })).toMatchObject({ receipt: receipts });
  });

  test('never requests the receipt of a record that does not exist', () => {
    const { claim, ...asked } = situations['nothing changed, and a receipt is due'];

    expect(nextAction({ ...asked, claim: { ...claim, receipt: { ...due, complianceId: 'c-0' } } })).toEqual(leave);
    expect(nextAction({ ...asked, claim: { ...claim, current: null } })).toEqual(leave);
  });
});

describe('a store that answered with a state that may be older than a deletion', () => {
  const situation = situations['a refund is said to be deleted, and the store answered with a state that may be older'];
  const { snapshot } = situation.claim.facts;
  const modified = (updatedAt: string, values: object = {}) => {
    const facts = { ...situation.claim.facts, snapshot: snapshot === null ? null : { ...snapshot, updatedAt } };
    return nextAction({ ...situation, claim: { ...situation.claim, facts, ...values } });
  };

  test('is queried again when the second of the order’s last change is over, or a minute later', () => {
    expect(modified('2026-11-20T10:29:59.000Z')).toMatchObject({ do: 'wait', ms: 1_000 });
    expect(modified('2026-11-20T10:29:58.000Z')).toMatchObject({ do: 'wait', ms: 60_000 });
    expect(modified('2031-01-01T00:00:00.000Z')).toMatchObject({ do: 'wait', ms: 60_000 });
  });

  test('is not waited for longer than six hours', () => {
    expect(modified('2026-11-20T10:29:59.000Z', { attempts: 8, dirtySince: '2026-11-20T04:30:00.001Z' })).toMatchObject({ do: 'wait' });
    expect(modified('2026-11-20T10:29:59.000Z', { attempts: 7, dirtySince: '2026-11-20T04:30:00.000Z' })).toMatchObject({ do: 'wait' });
    expect(modified('2026-11-20T10:29:59.000Z', { attempts: 8, dirtySince: '2026-11-20T04:30:00.000Z' })).toMatchObject({
      do: 'review',
      problems: [{ code: 'refund.deleted' }],
    });
  });
});

test('An action leaves the order as it was given', () => {
  const before = structuredClone(situations);
  for (const situation of Object.values(situations)) nextAction(situation);

  expect(situations).toEqual(before);
});
