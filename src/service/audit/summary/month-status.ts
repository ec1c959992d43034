import { dayText, monthText } from '../../bulgarian/day-text.ts';
import { filingTime, timeLeft } from './deadline-words.ts';
import type { FileVersion, MonthSituation, MonthSummary } from './month-summary.ts';
import { ordersLeft, outstandingWords } from './outstanding-words.ts';
import type { Status, Tone } from './summary-page.ts';

type Kind = MonthSituation['kind'];

const labels: Readonly<Record<Kind, { tone: Tone; label: string }>> = {
  open: { tone: 'quiet', label: 'Предстои' },
  generated: { tone: 'action', label: 'Готов за подаване' },
  filed: { tone: 'good', label: 'Подаден' },
  rejected: { tone: 'problem', label: 'НАП съобщи за грешки' },
  blocked: { tone: 'problem', label: 'Не е изготвен' },
  empty: { tone: 'action', label: 'Няма поръчки' },
  test: { tone: 'quiet', label: 'ТЕСТ / TEST' },
};

/** The status of the month: a label and a sentence or two. */
export function statusOf(summary: MonthSummary): Status {
  const { situation, outstanding, month } = summary;
  if (situation.kind === 'generated' && outstanding !== undefined) {
    const words = `${outstandingWords(outstanding, month)}. ${wordsOf(summary)}`;
    return { tone: 'problem', label: 'Готов, но непълен', words };
  }
  return { ...labels[summary.situation.kind], words: wordsOf(summary) };
}

function wordsOf(summary: MonthSummary): string {
  const { situation, month } = summary;
  const file = `Одиторският файл за ${monthText(month)}`;
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
      return `Това е тестов магазин: поръчките му не са истински продажби и за ${monthText(month)} не се изготвя и не се подава одиторски файл.`;
    case 'empty':
      return `За ${monthText(month)} няма поръчки, които да влязат в одиторския файл, затова файл не може да бъде изготвен.`;
  }
}

function without({ filedWithout }: MonthSummary): string {
  return filedWithout === undefined ? '' : ` Тогава не ${filedWithout.orders === 1 ? 'беше записана' : 'бяха записани'} ${ordersLeft(filedWithout)}.`;
}

function replaces({ version }: FileVersion): string {
  return version === 1 ? '' : ` Това е версия ${version}; тя изцяло заменя предишните.`;
}
