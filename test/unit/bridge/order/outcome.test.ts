import { describe, expect, test } from 'vitest';
import { classify, type Outcome, outcomes, type Reply } from '../../../../src/bridge/order/decisions/answer.ts';
import { failures } from '../../../../src/bridge/order/facts/failure.ts';

function answered(status: number, id: string | null = null): Reply {
  return { kind: 'answered', status, id, standingId: null, detail: '', retryAfterMs: null };
}

function own(status: number): Reply {
  return { kind: 'answered', status, id: null, standingId: null, detail: '', retryAfterMs: null, isOwn: true };
}

describe('the reply to a create', () => {
  test.each<[Reply, Outcome]>([
    [{ kind: 'not-sent', error: 'ECONNREFUSED' }, 'unreachable'],
    [{ kind: 'lost', error: 'ETIMEDOUT' }, 'unknown'],
    [answered(200, 'id'), 'recorded'],
    [answered(201, 'id'), 'recorded'],
    [answered(200), 'unknown'],
    [answered(302), 'unknown'],
    [answered(400), 'refused'],
    [answered(401), 'misconfigured'],
    [answered(403), 'shop-refused'],
    [answered(404), 'shop-unknown'],
    [own(404), 'shop-unknown'],
    [answered(408), 'unknown'],
    [answered(409), 'conflict'],
    [answered(413), 'refused'],
    [answered(422), 'refused'],
    [answered(429), 'throttled'],
    [answered(500), 'unknown'],
    [answered(503), 'throttled'],
    [answered(504), 'unknown'],
  ])('%o is %s', (reply, outcome) => {
    expect(classify('create', reply)).toBe(outcome);
  });
});

describe('the reply to a delete', () => {
  test.each<[Reply, Outcome]>([
    [{ kind: 'not-sent', error: 'ENOTFOUND' }, 'unreachable'],
    [{ kind: 'lost', error: 'ECONNRESET' }, 'unknown'],
    [answered(200), 'deleted'],
    [answered(204), 'deleted'],
    [answered(302), 'unknown'],
    [answered(400), 'refused'],
    [answered(401), 'misconfigured'],
    [answered(403), 'shop-refused'],
    [own(404), 'gone'],
    [answered(404), 'disbelieved'],
    [answered(408), 'unknown'],
    [own(410), 'gone'],
    [answered(410), 'disbelieved'],
    [answered(429), 'throttled'],
    [answered(502), 'unknown'],
    [answered(503), 'throttled'],
  ])('%o is %s', (reply, outcome) => {
    expect(classify('delete', reply)).toBe(outcome);
  });
});

describe('the reply to the request for a receipt', () => {
  test.each<[Reply, Outcome]>([
    [{ kind: 'not-sent', error: 'ECONNREFUSED' }, 'unreachable'],
    [{ kind: 'lost', error: 'ETIMEDOUT' }, 'unknown'],
    [answered(200, 'id'), 'receipt-got'],
    [answered(201), 'receipt-got'],
    [answered(204), 'receipt-got'],
    [answered(302), 'unknown'],
    [answered(400), 'receipt-refused'],
    [answered(401), 'misconfigured'],
    [answered(403), 'shop-refused'],
    [answered(404), 'receipt-refused'],
    [answered(405), 'receipt-refused'],
    [answered(408), 'unknown'],
    [answered(409), 'receipt-refused'],
    [answered(410), 'receipt-refused'],
    [answered(422), 'receipt-refused'],
    [answered(429), 'throttled'],
    [answered(500), 'unknown'],
    [answered(501), 'receipt-refused'],
    [answered(503), 'throttled'],
    [answered(504), 'unknown'],
  ])('%o is %s', (reply, outcome) => {
    expect(classify('receipt', reply)).toBe(outcome);
  });

  test('never asks a person to decide, and never says that the record is gone', () => {
    const ended = (['receipt-got', 'receipt-refused'] as const).map((outcome) => outcomes[outcome]);

    expect(ended.every(({ recorded, then, scope }) => recorded === 'yes' && then === 'finish' && scope === 'none')).toBe(true);
    expect(failures[outcomes['receipt-refused'].code].disposition).toBe('tell');
  });
});

test('an outcome that pauses a destination never parks an order', () => {
  const rows = Object.values(outcomes);

  expect(rows.filter(({ then }) => then === 'pause').map(({ code }) => code && failures[code].disposition)).toEqual([
    'pause',
    'pause',
    'pause',
    'pause',
    'pause',
  ]);
  expect(rows.every(({ recorded, then }) => (recorded === 'unknown') === (then === 'uncertain'))).toBe(true);
});
