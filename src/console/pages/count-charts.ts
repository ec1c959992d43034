import { DAYS as DAYS_KEPT } from '../../bridge/ledger/counts/count-hours.ts';
import { type CountSums, type Counts, readCounts, sumCounts, webhooksByDay } from '../../bridge/ledger/counts/read-counts.ts';
import { dayName } from '../../contract/local-text.ts';
import { countText } from '../../contract/plural.ts';
import type { DayRange } from '../../operations/day-range.ts';
import { sumWords } from '../../operations/orders/sum-words.ts';
import { lastMidnights, sofiaMidnight } from '../../operations/reconciliation/window.ts';
import type { IssueGroup } from '../../operations/review/issue-group.ts';
import type { MonthKey } from '../../service/audit/month/month-state.ts';
import { addDays, lastDayOf, sofiaDay, weekdayOf } from '../../service/law/calendar.ts';
import { chart, strip } from '../../web/charts.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import type { ConsoleDeps } from '../base/console-deps.ts';
import { momentName, money, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';

const HOUR_MS = 3_600_000;
const HOURS = 48;
const WEEK = 7;

type Reading = Pick<ConsoleDeps, 'pool' | 'now'>;
type Asking = { deps: Reading; words: Words };

/** The beginnings of hours, that of the current one at the end; `daysBefore`: so many days earlier. */
function lastHours(now: Date, daysBefore = 0): string[] {
  const current = Math.floor(now.getTime() / HOUR_MS) - daysBefore * 24;
  return Array.from({ length: HOURS }, (_, place) => new Date((current - HOURS + 1 + place) * HOUR_MS).toISOString());
}

const keyOf = ({ subject, at }: Pick<Counts, 'subject' | 'at'>) => `${subject} ${at}`;

function found(counts: readonly Counts[]): (subject: string, at: string) => Counts | undefined {
  const known = new Map(counts.map((one) => [keyOf(one), one]));
  return (subject, at) => known.get(keyOf({ subject, at }));
}

/** What happened in the last hours, over that of a week before, and what was recorded yesterday. */
export async function todayCharts({ deps, words }: Asking): Promise<Html> {
  const { counts: say, lang } = words;
  const [hours, before] = [lastHours(deps.now()), lastHours(deps.now(), WEEK)];
  const day = addDays(sofiaDay(deps.now().toISOString()), -1);
  const [counted, days] = await Promise.all([
    readCounts(deps.pool, { span: 'hour', at: [...hours, ...before], subjects: [''] }),
    readCounts(deps.pool, { span: 'day', at: comparedWith(day).map(sofiaMidnight), subjects: [''] }),
  ]);
  if (counted.length === 0) return nothing;
  const at = found(counted);
  const rows = hours.map((hour, place) => ({ hour, is: at('', hour), was: at('', before[place] ?? '') }));
  const series = (['received', 'recorded', 'asked'] as const).map((what) => ({
    name: say.today[what],
    of: ({ is }: (typeof rows)[number]) => is?.[what] ?? null,
    behind: { name: say.today.before(say.today[what]), of: ({ was }: (typeof rows)[number]) => was?.[what] ?? null },
    said: (n: number) => countText(n, lang),
  }));
  const bars = chart({
    title: say.today.title,
    about: say.today.about,
    rows,
    at: say.hour,
    name: ({ hour }) => momentName(hour, lang),
    series,
    words: say.words,
  });
  return html`<p>${yesterdayWords(days, day, words)}</p>\n${bars}`;
}

/** A day, the same weekday of the four weeks before, and the day before them all, whose being counted says that they were counted whole. */
function comparedWith(day: string): string[] {
  return [0, 7, 14, 21, 28, 29].map((ago) => addDays(day, -ago));
}

/** What was recorded on a day, and what is usual for its weekday: the least and the most of the four weeks before. */
export function yesterdayWords(counted: readonly Pick<Counts, 'at' | 'recorded' | 'sums'>[], day: string, words: Words): string {
  const { counts: say, lang } = words;
  const [own, ...past] = comparedWith(day).map((one) => counted.find(({ at }) => at === sofiaMidnight(one)));
  if (own === undefined) return past.some((one) => one !== undefined) ? say.notCounted : say.notYet;
  const sum = sumWords(own.sums);
  const said = say.yesterday(own.recorded, sum === null ? null : money(sum, words));
  const usual = past.slice(0, 4).flatMap((one) => one?.recorded ?? []);
  if (past.includes(undefined)) return `${said} ${say.notYet}`;
  const [least, most] = [Math.min(...usual), Math.max(...usual)].map((n) => countText(n, lang));
  return `${said} ${say.usual(weekdayOf(day), least === most ? `${least}` : `${least}–${most}`)}`;
}

const NO_COUNTS: Omit<CountSums, 'subject'> = { recorded: 0, asked: 0, requests: 0, failed: 0 };

/** What was counted on these days of a connection or destination; null: no days are chosen. */
export async function countedOn(
  { pool, now }: Reading,
  { from, to }: DayRange,
  subjects: readonly string[],
): Promise<((of: string) => typeof NO_COUNTS) | null> {
  if (from === '' && to === '') return null;
  const today = sofiaDay(now().toISOString());
  const last = to === '' || to > today ? today : to;
  const days = Array.from({ length: DAYS_KEPT }, (_, ago) => addDays(last, -ago)).filter((day) => day >= from);
  const counted = new Map((await sumCounts(pool, days.map(sofiaMidnight), subjects)).map((one) => [one.subject, one]));
  return (of) => counted.get(of) ?? NO_COUNTS;
}

/** Accepted and refused webhooks of a store. */
export async function storeChart({ deps, words }: Asking, connectionId: string): Promise<Html> {
  const { counts: say, lang } = words;
  const rows = lastHours(deps.now());
  const at = found(await readCounts(deps.pool, { span: 'hour', at: rows, subjects: [connectionId] }));
  const series = (['accepted', 'refused'] as const).map((what) => ({
    ...(what === 'refused' ? { tone: 'failing' as const } : {}),
    name: say.store[what],
    of: (hour: string) => at(connectionId, hour)?.[what] ?? 0,
    said: (n: number) => countText(n, lang),
  }));
  return chart({ title: say.store.title, about: say.store.about, rows, at: say.hour, name: (hour) => momentName(hour, lang), series, words: say.words });
}

/** By connection: its webhooks of each of the last days, so that silence is seen. */
export async function weekStrips({ deps, words }: Asking): Promise<(connectionId: string) => Html> {
  const days = lastMidnights(deps.now(), WEEK);
  const accepted = await webhooksByDay(deps.pool, days);
  return (connectionId) => {
    const numbers = days.map((_, place) => accepted.get(connectionId)?.get(place) ?? 0);
    return strip(words.counts.weekOf(numbers.map((n) => countText(n, words.lang)).join(', ')), numbers, 'silence');
  };
}

/** By destination: how long its answers took, and how many requests it did not take. */
export async function serviceCharts({ deps, words }: Asking, destinations: readonly string[]): Promise<(destinationId: string) => Html> {
  const { counts: say, lang } = words;
  const rows = lastHours(deps.now());
  const at = found(await readCounts(deps.pool, { span: 'hour', at: rows, subjects: destinations }));
  const ms = (n: number) => words.destinations.requests.ms(n);
  return (id) => {
    const time = { name: say.service.half, of: (hour: string) => at(id, hour)?.p50Ms ?? null, said: ms };
    const slow = { name: say.service.slow, of: (hour: string) => at(id, hour)?.p95Ms ?? null };
    const failed = {
      name: say.service.failed,
      of: (hour: string) => at(id, hour)?.failed ?? 0,
      said: (n: number) => countText(n, lang),
      tone: 'failing' as const,
    };
    const series = [{ ...time, behind: slow }, failed];
    return chart({ title: say.service.title, about: say.service.about, rows, at: say.hour, name: (hour) => momentName(hour, lang), series, words: say.words });
  };
}

type OfMonth = { deps: Reading & { connections: Pick<ConsoleDeps['connections'], 'list'> }; words: Words };

/** Orders of a month by the day they were paid; days without any are marked, from the one on from which they are recorded. */
export async function monthChart({ deps, words }: OfMonth, { shopId, month }: MonthKey): Promise<Html> {
  const { counts: say, lang } = words;
  const connections = (await deps.connections.list()).filter((one) => one.shopId === shopId);
  const today = sofiaDay(deps.now().toISOString());
  const first = `${month}-01`;
  const rows = Array.from({ length: Number(lastDayOf(month).slice(8)) }, (_, place) => addDays(first, place)).filter((day) => day <= today);
  const counted = await readCounts(deps.pool, { span: 'day', at: rows.map(sofiaMidnight), subjects: connections.map(({ id }) => id) });
  if (counted.length === 0) return nothing;
  const since = connections.map(({ recordFrom }) => sofiaDay(recordFrom)).toSorted()[0] ?? today;
  const kept = addDays(today, 1 - DAYS_KEPT);
  const sold = (day: string) => counted.filter(({ at }) => at === sofiaMidnight(day)).reduce((sum, one) => sum + one.sold, 0);
  const isGap = (day: string) => sold(day) === 0 && day >= since && day >= kept && day < today;
  const gaps = rows.filter(isGap).length;
  const series = [{ name: say.month.orders, of: (day: string) => (day < kept ? null : sold(day)), isGap, said: (n: number) => countText(n, lang) }];
  const bars = chart({ title: say.month.title, about: say.month.about, rows, at: say.day, name: (day) => dayName(day, lang), series, words: say.words });
  return html`${bars}${gaps === 0 ? nothing : html`<p class="soft">${say.month.gaps(gaps)}</p>`}${first < kept ? html`<p class="soft">${say.month.notKept(dayName(kept, lang))}</p>` : nothing}`;
}

/** When an issue was first and last seen, and how many orders came to it by day. */
export function seen(
  { firstAsked, lastAsked, byDay }: Pick<IssueGroup, 'firstAsked' | 'lastAsked' | 'byDay'>,
  words: Pick<Words, 'counts' | 'lang' | 'frame'>,
): Html {
  const label = words.counts.issue.days(byDay.map((n) => countText(n, words.lang)).join(', '));
  return html`${strip(label, byDay)}<br><span class="soft">${when(firstAsked, words)}${firstAsked.slice(0, 16) === lastAsked.slice(0, 16) ? nothing : html` – ${when(lastAsked, words)}`}</span>`;
}
