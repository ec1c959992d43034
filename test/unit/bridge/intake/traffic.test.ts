import { describe, expect, test } from 'vitest';
import { type AnsweredWebhook, addTraffic, type Traffic, trafficOf } from '../../../../src/bridge/intake/traffic.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();

const answered = (second: number, given: Partial<AnsweredWebhook> = {}): Traffic =>
  trafficOf({ connectionId: 'c_1', at: at(second), topic: 'order.updated', code: null, client: '192.0.2.7', isPlatforms: true, ...given });
const refused = (second: number, given: Partial<AnsweredWebhook> = {}) => answered(second, { code: 'signature.mismatch', ...given });
const stranger = (second: number) => refused(second, { code: 'signature.missing', isPlatforms: false });

function all([first = answered(0), ...later]: Traffic[]): Traffic {
  for (const one of later) addTraffic(first, one);
  return first;
}

describe('refused in a row', () => {
  test('counts those since the last accepted one', () => {
    expect(all([refused(1), refused(2), answered(3), refused(4, { code: 'body.not-json' })])).toMatchObject({
      ...{ acceptedAt: at(3), refusedAt: at(4), refusedCode: 'body.not-json', refusedInARow: 1 },
    });
    expect(all([refused(1), answered(2)])).toMatchObject({ refusedAt: at(1), refusedInARow: 0 });
  });

  test('does not count unsigned requests of strangers, nor those that were only to come slower; both are listed', () => {
    const traffic = all([stranger(1), refused(2, { code: 'delivery.throttled' }), stranger(3)]);

    expect(traffic).toMatchObject({ refusedAt: null, refusedCode: null, refusedInARow: 0, throttled: 1, throttledAt: at(2) });
    expect(traffic.refusals.map(({ code }) => code)).toEqual(['signature.missing', 'delivery.throttled', 'signature.missing']);
  });
});

test('a ping, which anybody can send, ends no row of refused ones, and is kept beside the topics', () => {
  const traffic = all([refused(1), answered(2, { isPing: true, topic: '' })]);

  expect(traffic).toMatchObject({ acceptedAt: null, refusedAt: at(1), refusedInARow: 1 });
  expect([...traffic.topics]).toEqual([['ping', at(2)]]);
});

test('what a module sent is noted beside its topic, once it was accepted', () => {
  const traffic = all([answered(1), answered(2, { isByModule: true }), refused(3, { isByModule: true }), answered(4)]);

  expect([...traffic.topics]).toEqual([
    ['module', at(2)],
    ['order.updated', at(4)],
  ]);
});

describe('what is kept of a connection is bounded, whatever comes', () => {
  test('the last 50 refusals, and a flood of strangers takes the places of strangers alone', () => {
    const traffic = all([...Array.from({ length: 45 }, (_, n) => refused(n)), ...Array.from({ length: 1_000 }, (_, n) => stranger(100 + n))]);

    expect(traffic.refusals.filter(({ counts }) => counts).map((one) => one.at)).toEqual(Array.from({ length: 40 }, (_, n) => at(n + 5)));
    expect(traffic.refusals.filter(({ counts }) => !counts).map((one) => one.at)).toEqual(Array.from({ length: 10 }, (_, n) => at(1_090 + n)));
  });

  test('fewer strangers than their places leave those to the others', () => {
    const traffic = all([stranger(0), ...Array.from({ length: 60 }, (_, n) => refused(n + 1))]);

    expect(traffic.refusals).toHaveLength(50);
    expect(traffic.refusals.map((one) => one.at)).toEqual([at(0), ...Array.from({ length: 49 }, (_, n) => at(n + 12))]);
  });

  test('the 50 topics that came last', () => {
    const traffic = all(Array.from({ length: 60 }, (_, n) => answered(n, { topic: `t${n < 5 ? 0 : n}` })));

    expect(traffic.topics.size).toBe(50);
    expect([...traffic.topics].at(0)).toEqual(['t10', at(10)]);
    expect([...traffic.topics].at(-1)).toEqual(['t59', at(59)]);
  });

  test('a hundred characters of a topic and of an address', () => {
    const long = 'x'.repeat(5_000);

    expect([...answered(1, { topic: long }).topics.keys()]).toEqual(['x'.repeat(100)]);
    expect(refused(1, { topic: long, client: long }).refusals).toMatchObject([{ topic: 'x'.repeat(100), client: 'x'.repeat(100) }]);
  });
});
