import { describe, expect, test } from 'vitest';
import { chosenMoment, countedAs, startMoment } from '../../../src/operations/trial/preview-start.ts';

const NOW = new Date('2026-11-20T22:30:15.678Z');

describe('from when a store is recorded', () => {
  test.each([
    ['now', '2026-11-20T22:30:15.000Z'],
    ['month', '2026-10-31T22:00:00.000Z'],
    ['2026-11-01', '2026-10-31T22:00:00.000Z'],
    ['2026-07-01', '2026-06-30T21:00:00.000Z'],
    ['2026-12-01', '2026-11-30T22:00:00.000Z'],
    ['2026-11-01T08:30:00+02:00', '2026-11-01T06:30:00.000Z'],
  ])('%s is %s', (typed, at) => {
    expect(startMoment(typed, NOW)).toBe(at);
  });

  test('is of today in Bulgaria, where the month may have begun already', () => {
    expect(startMoment('month', new Date('2026-10-31T22:30:00Z'))).toBe('2026-10-31T22:00:00.000Z');
  });

  test.each([
    ...['', 'soon', '2026-02-30', '2026-13-01', '2026-11-01T25:00:00Z', '2026-11-01T10:00:00'],
    ...['2026-11-31T00:00:00+02:00', '2026-11-01T00:00:00+20:00'],
  ])('“%s” is no moment', (typed) => {
    expect(() => startMoment(typed, NOW)).toThrow(`“${typed}” is no moment`);
  });

  test('is not the month that was counted if the next one has begun when it is pressed; “now” is when it is pressed', () => {
    const counted = (way: 'now' | 'month', at: string) => countedAs({ way, day: '' }, chosenMoment({ way, day: '' }, new Date(at)));
    const [before, after] = ['2026-11-30T21:55:00Z', '2026-11-30T22:05:00Z'];
    expect([counted('month', before), counted('month', after)]).toEqual(['2026-10-31T22:00:00.000Z', '2026-11-30T22:00:00.000Z']);
    expect(counted('now', before)).toBe(counted('now', after));
  });

  test('is a day alone, where a calendar says it', () => {
    const chosen = (day: string) => chosenMoment({ way: 'day', day }, NOW);
    expect(chosen('2026-11-01')).toBe('2026-10-31T22:00:00.000Z');
    expect(() => chosen('2026-11-01T08:30:00Z')).toThrow('is no moment');
    expect(() => chosen('now')).toThrow('is no moment');
  });

  test.each(['2025-11-01', '2027-01-01', '2001-01-01'])('%s is refused as %s', (typed) => {
    expect(() => startMoment(typed, NOW)).toThrow(/is no moment|more than a year ago, or more than a month ahead/);
  });
});
