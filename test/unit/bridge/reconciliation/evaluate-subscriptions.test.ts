import { describe, expect, test } from 'vitest';
import { type ExpectedSubscriptions, evaluateSubscriptions, sameAddress } from '../../../../src/bridge/reconciliation/evaluate-subscriptions.ts';
import type { Subscription } from '../../../../src/bridge/storefronts/store-reader.ts';

const ADDRESS = 'https://bridge.example/webhooks/own/c_1';
const NOW = Date.parse('2026-11-22T12:00:00Z');

function one(topic: string, changes: Partial<Subscription> = {}): Subscription {
  return { id: `${topic}-1`, topic, address: ADDRESS, state: 'active', attemptedAt: null, ...changes };
}

function watched(changes: Partial<ExpectedSubscriptions> = {}): ExpectedSubscriptions {
  return {
    ...{ connectionId: 'c_1', address: ADDRESS, appAddress: null, topics: ['paid', 'changed'], alsoTopics: ['gone'], configured: [], hidesOthers: false },
    ...{ accepted: new Map(), since: '2026-11-01T00:00:00.000Z', missedAt: '2026-11-22T11:59:00.000Z', now: NOW },
    ...changes,
  };
}

/** What is wrong with the topic `paid`, while `changed` is right. */
function wrong(paid: readonly Subscription[], changes: Partial<ExpectedSubscriptions> = {}) {
  const { problems } = evaluateSubscriptions([...paid, one('changed')], watched(changes));
  return problems.map(({ topic, kind, repairs, creates, ids }) => [topic, kind, repairs, creates ? 'create' : '-', ids.join()]);
}

test('each wanted topic with an active webhook at the right address: nothing is wrong', () => {
  expect(wrong([one('paid')])).toEqual([]);
  expect(wrong([one('paid', { address: `${ADDRESS}/` })])).toEqual([]);
});

test.each<[string, Subscription[], unknown[]]>([
  ['none', [], ['paid', 'missing', 'itself', 'create', '']],
  ['disabled by the store', [one('paid', { state: 'disabled' })], ['paid', 'disabled', 'itself', 'create', 'paid-1']],
  [
    'two, both disabled',
    [one('paid', { state: 'disabled' }), one('paid', { id: '2', state: 'disabled' })],
    ['paid', 'disabled', 'itself', 'create', 'paid-1,2'],
  ],
  ['paused by a person', [one('paid', { state: 'paused' })], ['paid', 'paused', 'request', 'create', 'paid-1']],
  [
    'one paused, one disabled',
    [one('paid', { state: 'disabled' }), one('paid', { id: '2', state: 'paused' })],
    ['paid', 'paused', 'request', 'create', 'paid-1,2'],
  ],
  [
    'disabled, and one more that goes elsewhere, or that a person paused there',
    [
      one('paid', { state: 'disabled' }),
      one('paid', { id: '2', address: 'https://old.example/webhooks/own/c_1' }),
      one('paid', { id: '3', state: 'paused', address: 'https://old.example/webhooks/own/c_1' }),
    ],
    ['paid', 'disabled', 'itself', 'create', 'paid-1'],
  ],
  ['to another server of ours', [one('paid', { address: 'https://old.example/webhooks/own/c_1' })], ['paid', 'wrong-address', 'request', 'create', 'paid-1']],
  ['over http', [one('paid', { address: 'http://bridge.example/webhooks/own/c_1' })], ['paid', 'wrong-address', 'request', 'create', 'paid-1']],
  ['under another path', [one('paid', { address: 'https://bridge.example/hooks/own/c_1' })], ['paid', 'wrong-address', 'request', 'create', 'paid-1']],
  ['a dead one beside one that works', [one('paid'), one('paid', { id: '2', state: 'disabled' })], ['paid', 'left-over', 'itself', '-', '2']],
  [
    'one more that goes elsewhere',
    [one('paid'), one('paid', { id: '2', address: 'https://old.example/webhooks/own/c_1' })],
    ['paid', 'wrong-address', 'request', '-', '2'],
  ],
  [
    'wrong, and disabled there: another server may be down only',
    [one('paid', { state: 'disabled', address: 'https://old.example/webhooks/own/c_1' })],
    ['paid', 'wrong-address', 'request', 'create', 'paid-1'],
  ],
  ['filtered', [one('paid', { narrowed: 'filter' })], ['paid', 'narrowed', 'itself', 'create', 'paid-1']],
  [
    'some fields alone, and one more that goes elsewhere',
    [one('paid', { narrowed: 'fields' }), one('paid', { id: '2', address: 'https://old.example/webhooks/own/c_1' })],
    ['paid', 'narrowed', 'itself', 'create', 'paid-1'],
  ],
  ['another format beside one that works', [one('paid'), one('paid', { id: '2', narrowed: 'format' })], ['paid', 'narrowed', 'itself', '-', '2']],
  [
    'filtered elsewhere',
    [one('paid', { narrowed: 'filter', address: 'https://old.example/webhooks/own/c_1' })],
    ['paid', 'wrong-address', 'request', 'create', 'paid-1'],
  ],
])('%s', (_, paid, expected) => {
  expect(wrong(paid)).toEqual([expected]);
});

test('a paused one beside one that works is a person’s own matter', () => {
  expect(wrong([one('paid'), one('paid', { id: '2', state: 'paused' })])).toEqual([]);
});

describe('webhooks of others', () => {
  test('are told by addresses of any length', () => {
    const address = `https://here.example${'/'.repeat(200_000)}c_1`;

    expect(sameAddress(address, `${address}//`)).toBe(true);
  });

  const others = [
    one('paid', { address: 'https://bridge.example/webhooks/own/c_12', state: 'disabled' }),
    one('paid', { address: 'https://accounting.example/hook?for=c_1' }),
    one('paid', { address: 'https://c_1.example/' }),
    one('paid', { address: 'no address' }),
  ];

  test('are not ours, whatever their state', () => {
    const { ours, problems } = evaluateSubscriptions([...others, one('paid', { id: 'ours' }), one('changed')], watched());

    expect(ours.map(({ id }) => id)).toEqual(['ours', 'changed-1']);
    expect(problems).toEqual([]);
  });

  test('do not take the place of ours, and none of them would be removed', () => {
    expect(wrong(others)).toEqual([['paid', 'missing', 'itself', 'create', '']]);
  });
});

test('without PUBLIC_URL any address that bears the id counts', () => {
  expect(wrong([one('paid', { address: 'https://old.example/webhooks/own/c_1' })], { address: null })).toEqual([]);
});

test('one at the address of the app counts for its topic, and is not ours', () => {
  const appAddress = 'https://bridge.example/webhooks/own';
  const { ours, problems } = evaluateSubscriptions([one('paid', { address: appAddress }), one('changed')], watched({ appAddress }));

  expect([ours.map(({ topic }) => topic), problems]).toEqual([['changed'], []]);
});

test('a filtered one at the address of the app does not count, and is left alone', () => {
  const appAddress = 'https://bridge.example/webhooks/own';
  expect(wrong([one('paid', { address: appAddress, narrowed: 'filter' })], { appAddress })).toEqual([['paid', 'missing', 'itself', 'create', '']]);
});

test('what the store says of each of its webhooks is advice once', () => {
  const remark = 'an old version';
  const right = [one('paid', { remark }), one('changed', { remark }), one('gone')];
  expect(evaluateSubscriptions(right, watched())).toMatchObject({ problems: [], advice: [remark] });
});

describe('where the list hides what people made', () => {
  const hidesOthers = true;

  test('none listed is nothing to say, if deliveries come', () => {
    expect(evaluateSubscriptions([], watched({ hidesOthers, accepted: new Map([['paid', '2026-11-20T00:00:00.000Z']]) })).problems).toEqual([]);
  });

  test('none listed and none delivered is said, and made only if a person says so', () => {
    const { problems } = evaluateSubscriptions([], watched({ hidesOthers }));
    expect(problems.map(({ kind, repairs }) => [kind, repairs])).toEqual([
      ['missing', 'request'],
      ['missing', 'request'],
    ]);
  });

  test('where some of ours are listed, a missing one is missing', () => {
    expect(wrong([], { hidesOthers })).toEqual([['paid', 'missing', 'itself', 'create', '']]);
  });
});

describe('what the configuration of the app subscribes to', () => {
  const configured = ['gone', 'closed'];
  const evaluated = (listed: Subscription[], changes: Partial<ExpectedSubscriptions> = {}) =>
    evaluateSubscriptions([one('paid'), one('changed'), ...listed], watched({ alsoTopics: [], configured, ...changes }));
  const accepted = new Map([['paid', '2026-11-20T00:00:00.000Z']]);

  test('is missed by nobody who got anything, or whom nothing was to tell', () => {
    expect(evaluated([], { accepted })).toMatchObject({ problems: [], advice: [] });
    expect(evaluated([], { missedAt: null })).toMatchObject({ problems: [], advice: [] });
  });

  test('is said where nothing ever came that was to come, and no API repairs it', () => {
    expect(evaluated([]).problems.map(({ topic, kind, repairs, creates }) => [topic, kind, repairs, creates])).toEqual([
      ['gone', 'missing', 'nothing', false],
      ['closed', 'missing', 'nothing', false],
    ]);
  });

  test('is left alone where the store lists it, too, whatever became of that', () => {
    const earlier = [one('gone'), one('closed', { state: 'disabled' }), one('closed', { id: '2', address: 'https://old.example/webhooks/own/c_1' })];
    expect(evaluated(earlier, { accepted })).toMatchObject({ problems: [], advice: [] });
  });
});

describe('what was sent and did not come', () => {
  const at = (attemptedAt: string, changes: Partial<ExpectedSubscriptions> = {}) => wrong([one('paid', { attemptedAt })], changes).map(([, kind]) => kind);
  const accepted = new Map([['paid', '2026-11-22T10:00:00.000Z']]);

  test.each([
    ['the last attempt came', '2026-11-22T10:00:00.000Z', []],
    ['within a minute it counts as the same', '2026-11-22T10:01:00.000Z', []],
    ['a later one did not come', '2026-11-22T10:01:01.000Z', ['not-arriving']],
    ['one of this moment may not be noted yet', '2026-11-22T11:59:30.000Z', []],
  ])('%s', (_, attemptedAt, expected) => {
    expect(at(attemptedAt, { accepted })).toEqual(expected);
  });

  test('where none was accepted, an attempt since that is noted counts, and no earlier one', () => {
    expect(at('2026-11-22T10:00:00.000Z')).toEqual(['not-arriving']);
    expect(at('2026-10-31T23:59:00.000Z')).toEqual([]);
  });

  test('an attempt that was the ping of a new webhook is none', () => {
    const pinged = new Map([['ping', '2026-11-22T10:00:00.000Z']]);
    expect(at('2026-11-22T10:00:01.000Z', { accepted: pinged })).toEqual([]);
    expect(at('2026-11-22T10:02:00.000Z', { accepted: pinged })).toEqual(['not-arriving']);
  });

  test.each([
    ['nothing was ever missed: a person saved its form', null],
    ['nothing was missed since: the store’s clock is ahead', '2026-11-22T10:29:59.000Z'],
  ])('an attempt proves nothing where %s', (_, missedAt) => {
    expect(at('2026-11-22T10:30:00.000Z', { accepted, missedAt })).toEqual([]);
  });

  test('another topic that comes proves nothing', () => {
    expect(at('2026-11-22T10:30:00.000Z', { accepted: new Map([...accepted, ['changed', '2026-11-22T11:00:00.000Z']]) })).toEqual(['not-arriving']);
  });

  test('the words name both times', () => {
    const { problems } = evaluateSubscriptions([one('paid', { attemptedAt: '2026-11-22T11:00:00.000Z' }), one('changed')], watched({ accepted }));
    expect(problems[0]?.words).toBe('the store tried to deliver at 2026-11-22T11:00:00.000Z, but the last that was accepted came at 2026-11-22T10:00:00.000Z');
  });
});

test('a topic that is good to have is judged only where the store has it; else it is advice', () => {
  const right = [one('paid'), one('changed')];

  expect(evaluateSubscriptions(right, watched())).toMatchObject({ problems: [], advice: ['good to have, too: gone'] });
  expect(evaluateSubscriptions([...right, one('gone', { state: 'disabled' })], watched())).toMatchObject({
    problems: [{ topic: 'gone', kind: 'disabled' }],
    advice: [],
  });
});

test('a topic that is not needed is pointed out', () => {
  const { advice } = evaluateSubscriptions([one('paid'), one('changed'), one('gone'), one('product.updated', { id: '9' })], watched());
  expect(advice).toEqual(['the webhook 9 has the topic product.updated, which is not needed: check that it is not meant to be another one']);
});

test('a password in a wrong address is not shown', () => {
  const { problems } = evaluateSubscriptions([one('paid', { address: 'https://me:pw@old.example/webhooks/own/c_1?key=1' }), one('changed')], watched());
  expect(problems[0]?.words).toBe('its webhook goes to https://old.example/webhooks/own/c_1');
});

describe('a module in the store that delivers in place of its webhooks', () => {
  const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();
  const paused = [one('paid', { state: 'paused' })];
  const delivered = (module: number, webhook: number) =>
    new Map([
      ['module', at(module)],
      ['paid', at(module)],
      ['changed', at(webhook)],
      ['ping', at(0)],
    ]);

  test('has paused, disabled or deleted them rightly, however long ago it delivered', () => {
    const accepted = delivered(3 * 24 * 60, 3 * 24 * 60 + 5);

    for (const paid of [paused, [one('paid', { state: 'disabled' })], []]) expect(wrong(paid, { accepted, missedAt: null })).toEqual([]);
  });

  test('may be followed by what was queued before, for an hour', () => {
    expect(wrong(paused, { accepted: delivered(90, 31), missedAt: null })).toEqual([]);
    expect(wrong(paused, { accepted: delivered(90, 29), missedAt: null })).toEqual([['paid', 'paused', 'request', 'create', 'paid-1']]);
  });

  test('no longer delivers once reading the store found an order that did not come', () => {
    expect(wrong(paused, { accepted: delivered(90, 90), missedAt: at(91) })).toEqual([]);
    expect(wrong(paused, { accepted: delivered(90, 90), missedAt: at(89) })).toEqual([['paid', 'paused', 'request', 'create', 'paid-1']]);
  });

  test('takes nothing from active ones: a dead one beside them is still taken away', () => {
    const paid = [one('paid'), one('paid', { id: '2', state: 'disabled' })];

    expect(wrong(paid, { accepted: delivered(1, 1), missedAt: null })).toEqual([['paid', 'left-over', 'itself', '-', '2']]);
  });
});
