import { dayText, monthName } from '../../../contract/local-text.ts';
import { form } from '../../../contract/plural.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { counted } from './counted.ts';
import type { FileVersion, MonthSituation, MonthSummary } from './month-summary.ts';
import { ordersLeft, outstandingWords } from './outstanding-words.ts';
import type { Status, Tone } from './summary-page.ts';

const labels: Readonly<Record<MonthSituation['kind'], { tone: Tone; label: string }>> = {
  open: { tone: 'quiet', label: 'Предстои' },
  generated: { tone: 'action', label: 'Готов за подаване' },
  filed: { tone: 'good', label: 'Подаден' },
  rejected: { tone: 'problem', label: 'НАП съобщи за грешки' },
  blocked: { tone: 'problem', label: 'Не е изготвен' },
  empty: { tone: 'action', label: 'Няма поръчки' },
  'returns-only': { tone: 'problem', label: 'Само връщания' },
  test: { tone: 'quiet', label: 'ТЕСТ / TEST' },
  nothing: { tone: 'good', label: 'Няма какво да се подава' },
  'not-ours': { tone: 'quiet', label: 'Преди магазинът да е тук' },
};

/** The status of the month: a label and a sentence or two. */
export function statusOf(summary: MonthSummary): Status {
  const { situation, outstanding, month } = summary;
  if (lacksChanges(summary)) return { tone: 'problem', label: 'Да се изготви отново', words: withOutstanding(summary, outdatedWords(summary)) };
  if (situation.kind === 'generated' && outstanding !== undefined) {
    const words = `${outstandingWords(outstanding, month)}. ${wordsOf(summary)}`;
    return { tone: 'problem', label: 'Готов, но непълен', words };
  }
  if (isOverdue(summary)) return { tone: 'problem', label: 'Още не е изготвен', words: withOutstanding(summary, overdueWords(summary)) };
  return { ...labels[summary.situation.kind], words: wordsOf(summary) };
}

function withOutstanding({ outstanding, month }: MonthSummary, words: string): string {
  return outstanding === undefined ? words : `${words} Освен това ${outstandingWords(outstanding, month)}.`;
}

function outdatedWords(summary: MonthSummary): string {
  const { situation, month, changes } = summary;
  const version = 'file' in situation ? `Във версия ${situation.file.version} на файла` : 'Във файла';
  const lacks = `${form.bg(changes.count, 'липсва', 'липсват')} ${counted(changes.count, 'промяна', 'промени')}`;
  return `${version} за ${monthName(month, 'bg')} ${lacks} след изготвянето ѝ. Не я подавайте: първо изгответе файла отново. ${timeLeft(summary)}`;
}

function overdueWords(summary: MonthSummary): string {
  const { situation, month } = summary;
  const on = situation.kind === 'open' ? ` на ${dayText(situation.generatesOn)}` : '';
  return `Одиторският файл за ${monthName(month, 'bg')} трябваше да бъде изготвен${on}, но още не е. ${timeLeft(summary)}`;
}

function wordsOf(summary: MonthSummary): string {
  const { situation, month } = summary;
  const file = `Одиторският файл за ${monthName(month, 'bg')}`;
  switch (situation.kind) {
    case 'open':
      return `${file} още не е изготвен; предвиден е за ${dayText(situation.generatesOn)} Сумите тук са към момента и може да се променят.`;
    case 'generated':
      return `${file} е готов. Подайте го в НАП ${filingTime(summary)}${replaces(situation.file)}`;
    case 'filed':
      return `${file} е отбелязан като подаден на ${dayText(situation.filedOn)}${without(summary)}`;
    case 'rejected':
      return `${file} е подаден, но НАП е съобщила за грешки в него. Нужен е поправен файл.`;
    case 'blocked':
      return `${file} не е изготвен, защото ${situation.errors.length === 0 ? 'липсват валутни курсове' : 'в данните има грешки'}. ${timeLeft(summary)}`;
    case 'test':
      return `Това е тестов магазин: поръчките му не са истински продажби и за ${monthName(month, 'bg')} не се изготвя и не се подава одиторски файл.`;
    case 'empty':
    case 'returns-only':
      return emptyWords(summary);
    case 'nothing':
      return `На ${dayText(situation.settledOn)} е отбелязано, че за ${monthName(month, 'bg')} няма какво да се подава${settledReturns(situation.returns)}.`;
    case 'not-ours':
      return `Магазинът е тук от ${monthName(situation.since, 'bg')} и за ${monthName(month, 'bg')} тук няма нито една поръчка, затова тази услуга не изготвя файл за този месец.`;
  }
}

function settledReturns(returns: number | undefined): string {
  return returns === undefined ? '' : ` и как са уредени върнатите суми (${counted(returns, 'връщане', 'връщания')})`;
}

function emptyWords({ month, figures }: MonthSummary): string {
  if (figures.returns === 0) return `За ${monthName(month, 'bg')} няма поръчки, които да влязат в одиторския файл, затова файл не може да бъде изготвен.`;
  const returns = counted(figures.returns, 'връщане', 'връщания');
  return `За ${monthName(month, 'bg')} има ${returns}, но няма поръчки, които да влязат в одиторския файл, а схемата на НАП не допуска файл само с връщания, затова файл не може да бъде изготвен.`;
}

function without({ filedWithout }: MonthSummary): string {
  return filedWithout === undefined ? '' : ` Тогава не ${form.bg(filedWithout.orders, 'беше записана', 'бяха записани')} ${ordersLeft(filedWithout)}.`;
}

function replaces({ version }: FileVersion): string {
  return version === 1 ? '' : ` Това е версия ${version}; тя изцяло заменя предишните.`;
}

type Term = Pick<MonthSummary, 'deadline' | 'writtenAt'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time for filing, as the end of a sentence. */
export function filingTime(term: Term): string {
  const day = dayText(term.deadline);
  return isLate(term) ? `възможно най-скоро: срокът изтече на ${day}` : `до ${day} включително.`;
}

/** How much of the term is left, as a sentence. */
export function timeLeft(term: Term): string {
  const days = daysLeft(term);
  if (days < 0) return `Срокът за подаване изтече на ${dayText(term.deadline)}`;
  if (days === 0) return `Срокът за подаване изтича днес, ${dayText(term.deadline)}`;
  return `До края на срока (${dayText(term.deadline)}) ${form.bg(days, 'остава', 'остават')} ${counted(days, 'ден', 'дни')}.`;
}

export function isLate(term: Term): boolean {
  return daysLeft(term) < 0;
}

function daysLeft({ deadline, writtenAt }: Term): number {
  return Math.round((Date.parse(deadline) - Date.parse(sofiaDay(writtenAt))) / DAY_MS);
}

/** Is there a file to be filed that lacks the last changes? Then it is made again before anything else. */
export function lacksChanges({ situation, changes }: Pick<MonthSummary, 'situation' | 'changes'>): boolean {
  return situation.kind === 'generated' && changes.count > 0;
}

/** Has the day on which the file was to be made passed without one? */
export function isOverdue({ situation, writtenAt }: Pick<MonthSummary, 'situation' | 'writtenAt'>): boolean {
  return situation.kind === 'open' && sofiaDay(writtenAt) > situation.generatesOn;
}
