import type { MonthReport } from '../../../operations/months/month-report.ts';
import { dayName, monthName, type Tone } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

type Status = { tone: Exclude<Tone, 'quiet'> | 'quiet'; sentence: string };

/** The month in one sentence: what is wrong with it, or what is next. */
export function monthStatus(report: MonthReport, words: Words): Status {
  const { summary, isOver } = report;
  const w = words.month.verdict;
  const { situation, outstanding, changes } = summary;
  if (situation.kind === 'filed' || situation.kind === 'nothing') return doneStatus(report, words);
  if (isOver && outstanding !== undefined) return { tone: 'failing', sentence: `${w.outstanding(outstanding.orders)} ${term(report, words)}` };
  if (situation.kind === 'generated' && changes.count > 0) return { tone: 'failing', sentence: `${w.lacks(changes.count)} ${term(report, words)}` };
  return openStatus(report, words);
}

function doneStatus({ summary: { situation }, isAccepted }: MonthReport, { month: { verdict: w }, lang }: Words): Status {
  if (situation.kind === 'nothing') return { tone: 'ok', sentence: w.nothing(dayName(situation.settledOn, lang)) };
  const day = situation.kind === 'filed' ? dayName(situation.filedOn, lang) : '';
  return { tone: 'ok', sentence: isAccepted ? w.accepted(day) : w.filed(day) };
}

function openStatus(report: MonthReport, words: Words): Status {
  const {
    month: { verdict: w },
    lang,
  } = words;
  const {
    summary: { situation },
    isOver,
    isChecked,
  } = report;
  const over = term(report, words);
  const tone = daysLeft(report) < 0 ? 'failing' : 'attention';
  switch (situation.kind) {
    case 'generated':
      return { tone, sentence: isChecked ? w.ready(situation.file.version, over) : w.check(situation.file.version, over) };
    case 'rejected':
      return { tone: 'failing', sentence: w.rejected };
    case 'blocked':
      return { tone: 'failing', sentence: w.blocked(situation.errors.length, situation.missingRates.length) };
    case 'returns-only':
      return { tone: 'failing', sentence: w.returnsOnly(report.summary.returns.count) };
    case 'empty':
      return { tone: 'attention', sentence: w.empty(over) };
    case 'not-ours':
      return { tone: 'quiet', sentence: w.notOurs(monthName(situation.since, lang)) };
    case 'open':
      return isOver ? { tone, sentence: w.notMade(over) } : { tone: 'quiet', sentence: w.open(dayName(situation.generatesOn, lang)) };
    default:
      return { tone: 'quiet', sentence: over };
  }
}

const DAY_MS = 24 * 3_600_000;

function daysLeft({ summary: { deadline }, today }: MonthReport): number {
  return Math.round((Date.parse(deadline) - Date.parse(today)) / DAY_MS);
}

/** How much of the term is left, as a sentence. */
function term(report: MonthReport, { month: { verdict: w }, lang }: Words): string {
  const day = dayName(report.summary.deadline, lang);
  const days = daysLeft(report);
  return days < 0 ? w.over(day) : w.left(day, days);
}
