import { describe, expect, test } from 'vitest';
import { currentResolution, type KnownState, type ResolvedAs, resolvedAs, whyNotTaken } from '../../../../src/bridge/order/decisions/wanted.ts';

const every = Object.keys(resolvedAs) as ResolvedAs[];

function found(values: Partial<KnownState> = {}): KnownState {
  return { state: 'review', code: 'payment.split', complianceId: null, isStepOpen: false, ...values };
}

function taken(values: Partial<KnownState>) {
  return Object.fromEntries(every.map((how) => [how, whyNotTaken(found(values), how)]));
}

describe('a person’s word', () => {
  test('about an order without a record: whatever became of it, but nothing is there to keep or remove', () => {
    expect(taken({})).toEqual({ recorded: null, 'not-a-sale': null, elsewhere: null, kept: 'not-unproven', removed: 'nothing-recorded' });
  });

  test('about an order that has a record: it may be left, be replaced, or be removed, but not be forgotten', () => {
    expect(taken({ complianceId: 'c-1' })).toEqual({ recorded: null, 'not-a-sale': 'recorded', elsewhere: 'recorded', kept: 'not-unproven', removed: null });
  });

  test('decides a removal that is not proven, with a record or without', () => {
    for (const complianceId of [null, 'c-1']) {
      expect(taken({ code: 'removal.unproven', complianceId })).toMatchObject({ kept: null, removed: null });
    }
  });

  test('records here what other software may have recorded; nothing is there to remove', () => {
    expect(taken({ code: 'payment.divided' })).toMatchObject({ kept: null, removed: 'nothing-recorded', elsewhere: null });
  });

  test('removes the record of a recorded order, unless something is being sent of it', () => {
    const recorded = { state: 'recorded', code: null, complianceId: 'c-1' } as const;

    expect(taken(recorded)).toEqual({ ...Object.fromEntries(every.map((how) => [how, 'not-in-review'])), removed: null });
    expect(whyNotTaken(found({ ...recorded, isStepOpen: true }), 'removed')).toBe('not-in-review');
  });

  test.each([
    ['unconfirmed', { state: 'unconfirmed' }],
    ['not-in-review', { state: 'recorded', code: null }],
    ['other', { code: 'order.other' }],
    ['doubled', { code: 'record.doubled', complianceId: 'c-1' }],
    ['doubled', { isStepOpen: true }],
  ] as const)('is not taken while something else must be said first: %s', (why, values) => {
    for (const how of every) expect(whyNotTaken(found(values), how)).toBe(why);
  });

  test('counts until something new is known', () => {
    const resolution = { how: 'elsewhere', revision: 3, complianceId: null, code: 'seller.other', who: 'cli:ana@office', why: 'so', at: '' } as const;

    expect([
      currentResolution({ resolution, revision: 3 }),
      currentResolution({ resolution, revision: 4 }),
      currentResolution({ resolution: null, revision: 3 }),
      currentResolution({}),
    ]).toEqual([resolution, ...[null, null, null]]);
  });
});
