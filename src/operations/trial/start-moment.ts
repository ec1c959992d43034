import type { Said } from '../../contract/said.ts';
import { addDays } from '../../service/law/months.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';
import { sofiaMidnight } from '../reconciliation/window.ts';
import { Refusal } from '../refusal.ts';

const DAY = /^20\d\d-\d\d-\d\d$/;
const FORMS: Said = { en: 'now, month, a day such as 2026-11-01, or a moment with its offset', bg: 'now, month, ден като 2026-11-01 или момент с отместване' };
/** Earlier orders are in months that are long filed; a later day is a slip of the pen. */
const MOST_BACK = 366;
const MOST_AHEAD = 31;

/** From when on a store is recorded, as somebody typed it: an ISO instant. A day begins at midnight in Bulgaria. */
export function startMoment(typed: string, now: Date): string {
  const today = sofiaDay(now.toISOString());
  // Stores tell when an order was paid to the second.
  if (typed === 'now') return `${now.toISOString().slice(0, 19)}.000Z`;
  if (typed === 'month') return sofiaMidnight(`${today.slice(0, 7)}-01`);
  const at = DAY.test(typed) ? midnight(typed) : instant(typed);
  if (at === null) throw noMoment(typed);
  if (at < sofiaMidnight(addDays(today, -MOST_BACK)) || at > sofiaMidnight(addDays(today, MOST_AHEAD))) {
    throw new Refusal(
      'invalid',
      { en: `${typed} is more than a year ago, or more than a month ahead`, bg: `${typed} е преди повече от година или след повече от месец` },
      { advice: { en: 'orders from before are taken in with `orderbridge backfill`', bg: 'по-стари поръчки се приемат с `orderbridge backfill`' } },
    );
  }
  return at;
}

export const START_WAYS = ['now', 'month', 'day'] as const;

/** What is selected in the form of a start. `day` counts only if it is the way. */
export type StartChoice = { way: (typeof START_WAYS)[number]; day: string };

export function startChoice(text: (name: string) => string): StartChoice {
  return { way: START_WAYS.find((one) => one === text('from')) ?? 'now', day: text('day') };
}

/** From when on a store would be recorded by this choice: an ISO instant. */
export function chosenMoment({ way, day }: StartChoice, now: Date): string {
  if (way === 'day' && !DAY.test(day)) throw noMoment(day);
  return startMoment(way === 'day' ? day : way, now);
}

/** What a page counted, as its form says it: a choice is started only if it is the one that was counted. “now” is when the form is sent. */
export function countedAs({ way }: StartChoice, from: string): string {
  return way === 'now' ? way : from;
}

function noMoment(typed: string): Refusal {
  return new Refusal('invalid', { en: `“${typed}” is no moment: give ${FORMS.en}`, bg: `„${typed}“ не е момент: дайте ${FORMS.bg}` });
}

function midnight(day: string): string | null {
  return Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day ? null : sofiaMidnight(day);
}

function instant(typed: string): string | null {
  const hasForm = /^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(typed);
  return hasForm && !Number.isNaN(Date.parse(typed)) ? new Date(typed).toISOString() : null;
}
