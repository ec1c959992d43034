import { dayText, monthName } from '../../../contract/local-text.ts';
import type { Lang, LocalizedText } from '../../../contract/messages.ts';
import { counted, form } from '../../../contract/plural.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { CORRECTION_DAYS } from '../../law/deadlines.ts';
import { headerWords } from './month-facts.ts';
import type { MonthSituation, MonthSummary } from './month-summary.ts';
import { ordersLeft, outstandingWords } from './outstanding-words.ts';
import type { Status, SummaryTone } from './summary-page.ts';

/**
 * What is most urgent of a month: its situation; or of a file that is to be filed that it lacks changes (outdated) or paid orders (incomplete); or that
 * one was to be made by now (overdue).
 */
export type MonthStatus = MonthSituation['kind'] | 'outdated' | 'incomplete' | 'overdue';

type Judged = { situation: MonthSituation['kind']; lacks?: number; outstanding?: object | null; overdue?: boolean };

export function monthStatus({ situation, lacks = 0, outstanding = null, overdue = false }: Judged): MonthStatus {
  if (situation === 'generated' && lacks > 0) return 'outdated';
  if (situation === 'generated' && outstanding !== null) return 'incomplete';
  return situation === 'open' && overdue ? 'overdue' : situation;
}

export function statusOf({ situation, changes, outstanding, writtenAt }: MonthSummary): MonthStatus {
  const overdue = situation.kind === 'open' && sofiaDay(writtenAt) > situation.generatesOn;
  return monthStatus({ situation: situation.kind, lacks: changes.count, outstanding: outstanding ?? null, overdue });
}

/** The status of a month for people: a label and a sentence or two. */
export function statusIn(summary: MonthSummary, lang: Lang): Status {
  const status = statusOf(summary);
  const { tone, name, says } = monthStatuses[status];
  const words = `${says[lang](summary as never, textsOf(summary, lang))}${unreportedWords(summary, lang)}`;
  return { tone: status === 'generated' && isLate(summary) ? 'problem' : tone, label: name[lang], words };
}

/** Returns of earlier months, until somebody says how they were dealt with. */
function unreportedWords({ unreported = [] }: MonthSummary, lang: Lang): string {
  const months = unreported.map(({ month }) => monthName(month, lang)).join(', ');
  const texts = {
    en: ` No file tells the returns of ${months}: note on the page of that month how they were dealt with.`,
    bg: ` Никой файл не съобщава върнатите суми за ${months}: отбележете на страницата на месеца как са уредени.`,
  };
  return unreported.length === 0 ? '' : texts[lang];
}

/** Parts of sentences: the name of the month and of its file, how much of the term is left, and what is left out. */
type Texts = { m: string; file: string; left: string; orders: string; day: (day: string) => string };

function textsOf(summary: MonthSummary, lang: Lang): Texts {
  const m = monthName(summary.month, lang);
  const { outstanding } = summary;
  return {
    m,
    file: { en: `The audit file of ${m}`, bg: `Одиторският файл за ${m}` }[lang],
    left: timeLeft(summary, lang),
    orders: outstanding === undefined ? '' : ` ${outstandingWords(outstanding, summary.month, lang)}.`,
    day: (day) => dayText(day, lang),
  };
}

type Of<S extends MonthStatus> = Omit<MonthSummary, 'situation'> & {
  situation: Extract<MonthSituation, { kind: S extends 'outdated' | 'incomplete' ? 'generated' : S extends 'overdue' ? 'open' : S }>;
};

/** What each status is called, and what it says of a month. */
export const monthStatuses: {
  readonly [S in MonthStatus]: { tone: SummaryTone; name: LocalizedText; says: Readonly<Record<Lang, (summary: Of<S>, texts: Texts) => string>> };
} = {
  open: {
    tone: 'quiet',
    name: { en: 'No file yet', bg: 'Още няма файл' },
    says: {
      en: ({ situation }, { file, day }) =>
        `${file} is not made yet; it is planned for ${day(situation.generatesOn)}. The sums are those of now and may change.`,
      bg: ({ situation }, { file, day }) =>
        `${file} още не е изготвен; предвиден е за ${day(situation.generatesOn)} Сумите са към момента и може да се променят.`,
    },
  },
  overdue: {
    tone: 'problem',
    name: { en: 'Not made yet, and late', bg: 'Още не е изготвен, закъснява' },
    says: {
      en: ({ situation }, { file, day, left, orders }) => `${file} should have been made on ${day(situation.generatesOn)}, and is not. ${left}${orders}`,
      bg: ({ situation }, { file, day, left, orders }) => `${file} трябваше да бъде изготвен на ${day(situation.generatesOn)}, но още не е. ${left}${orders}`,
    },
  },
  generated: { tone: 'action', name: { en: 'Ready to be filed', bg: 'Готов за подаване' }, says: { en: readyInEnglish, bg: readyInBulgarian } },
  incomplete: {
    tone: 'problem',
    name: { en: 'Ready, but incomplete', bg: 'Готов, но непълен' },
    says: {
      en: (summary, texts) => `${texts.orders.trimStart()} ${readyInEnglish(summary, texts)}`,
      bg: (summary, texts) => `${texts.orders.trimStart()} ${readyInBulgarian(summary, texts)}`,
    },
  },
  outdated: {
    tone: 'problem',
    name: { en: 'To be made again', bg: 'Да се изготви отново' },
    says: {
      en: ({ situation: { file }, changes }, { m, left, orders }) =>
        `Version ${file.version} of the file of ${m} lacks ${counted.en(changes.count, 'change', 'changes')} since it was made.${headerWords(changes, 'en')} Do not file it: make it again first. ${left}${orders}`,
      bg: ({ situation: { file }, changes }, { m, left, orders }) =>
        `Във версия ${file.version} на файла за ${m} ${form.bg(changes.count, 'липсва', 'липсват')} ${counted.bg(changes.count, 'промяна', 'промени')} след изготвянето ѝ.${headerWords(changes, 'bg')} Не я подавайте: първо изгответе файла отново. ${left}${orders}`,
    },
  },
  filed: {
    tone: 'good',
    name: { en: 'Filed', bg: 'Подаден' },
    says: {
      en: ({ situation, filedWithout }, { file, day }) =>
        `${file} is marked as filed on ${day(situation.filedOn)}.${filedWithout === undefined ? '' : ` ${ordersLeft(filedWithout, 'en')} ${form.en(filedWithout.orders, 'was', 'were')} not recorded then.`}`,
      bg: ({ situation, filedWithout }, { file, day }) =>
        `${file} е отбелязан като подаден на ${day(situation.filedOn)}${filedWithout === undefined ? '' : ` Тогава не ${form.bg(filedWithout.orders, 'беше записана', 'бяха записани')} ${ordersLeft(filedWithout, 'bg')}.`}`,
    },
  },
  rejected: {
    tone: 'problem',
    name: { en: 'Rejected by the agency', bg: 'Върнат от НАП' },
    says: {
      en: (_, { file }) =>
        `${file} was filed, and the agency found errors in it. Correct the data, make the file again, and file it within ${CORRECTION_DAYS} days of the agency’s message.`,
      bg: (_, { file }) =>
        `${file} е подаден, но НАП е съобщила за грешки в него. Поправете данните, изгответе файла отново и го подайте в срок от ${CORRECTION_DAYS} дни от съобщението ѝ.`,
    },
  },
  blocked: {
    tone: 'problem',
    name: { en: 'Can’t be made', bg: 'Не е изготвен: има пречки' },
    says: {
      en: ({ situation }, { file, left }) =>
        `${file} is not made, because ${situation.errors.length === 0 ? 'exchange rates are missing' : 'the data has errors'}. ${left}`,
      bg: ({ situation }, { file, left }) =>
        `${file} не е изготвен, защото ${situation.errors.length === 0 ? 'липсват валутни курсове' : 'в данните има грешки'}. ${left}`,
    },
  },
  empty: {
    tone: 'action',
    name: { en: 'No orders', bg: 'Няма поръчки' },
    says: {
      en: (_, { m, left }) => `${m} has no order for the audit file, and the agency takes none without orders. ${left}`,
      bg: (_, { m, left }) => `За ${m} няма поръчки, които да влязат в одиторския файл, а НАП не приема файл без поръчки. ${left}`,
    },
  },
  'returns-only': {
    tone: 'problem',
    name: { en: 'Returns only', bg: 'Само връщания' },
    says: {
      en: ({ returns: { count } }, { m }) =>
        `${m} has ${counted.en(count, 'return', 'returns')}, but no order for the audit file, and the agency takes none with only returns. Agree with your accountant how to account for them, and note it here.`,
      bg: ({ returns: { count } }, { m }) =>
        `За ${m} има ${counted.bg(count, 'връщане', 'връщания')}, но няма поръчки, които да влязат в одиторския файл, а НАП не приема файл само с връщания. Уговорете със счетоводителя си как да бъдат отразени и го отбележете.`,
    },
  },
  test: {
    tone: 'quiet',
    name: { en: 'Test shop', bg: 'Тестов магазин' },
    says: {
      en: (_, { m }) => `This is a test shop: its orders are no real sales, and no audit file of ${m} is made or filed.`,
      bg: (_, { m }) => `Това е тестов магазин: поръчките му не са истински продажби и за ${m} не се изготвя и не се подава одиторски файл.`,
    },
  },
  nothing: {
    tone: 'good',
    name: { en: 'Nothing to file', bg: 'Няма какво да се подава' },
    says: {
      en: ({ situation: { settledOn, returns } }, { m, day }) =>
        `It was noted on ${day(settledOn)} that ${m} has nothing to file${returns === undefined ? '' : `, and how its returns (${counted.en(returns, 'return', 'returns')}) were dealt with`}.`,
      bg: ({ situation: { settledOn, returns } }, { m, day }) =>
        `На ${day(settledOn)} е отбелязано, че за ${m} няма какво да се подава${returns === undefined ? '' : ` и как са уредени върнатите суми (${counted.bg(returns, 'връщане', 'връщания')})`}.`,
    },
  },
  'not-ours': {
    tone: 'quiet',
    name: { en: 'Before the shop was here', bg: 'Преди магазинът да е тук' },
    says: {
      en: ({ situation: { since } }, { m }) =>
        `The shop is here since ${monthName(since, 'en')} and has no order of ${m} here: a file of that month is made where the shop was before.`,
      bg: ({ situation: { since } }, { m }) =>
        `Магазинът е тук от ${monthName(since, 'bg')} и за ${m} тук няма нито една поръчка: файл за този месец се изготвя там, където магазинът е бил тогава.`,
    },
  },
};

type Ready = Of<'generated'>;

function readyInEnglish({ situation: { file }, ...term }: Ready, texts: Texts): string {
  const replaces = file.version === 1 ? '' : ` This is version ${file.version}; it replaces the earlier ones entirely.`;
  return `${texts.file} is ready. File it with the National Revenue Agency ${filingTime(term, 'en')}${replaces}`;
}

function readyInBulgarian({ situation: { file }, ...term }: Ready, texts: Texts): string {
  const replaces = file.version === 1 ? '' : ` Това е версия ${file.version}; тя изцяло заменя предишните.`;
  return `${texts.file} е готов. Подайте го в НАП ${filingTime(term, 'bg')}${replaces}`;
}

type Term = Pick<MonthSummary, 'deadline' | 'writtenAt'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time for filing, as the end of a sentence. */
export function filingTime(term: Term, lang: Lang): string {
  const day = dayText(term.deadline, lang);
  if (lang === 'en') return isLate(term) ? `as soon as possible: it was due on ${day}.` : `by ${day}.`;
  return isLate(term) ? `възможно най-скоро: срокът изтече на ${day}` : `до ${day} включително.`;
}

/** How much of the term is left, as a sentence. */
export function timeLeft(term: Term, lang: Lang): string {
  const [days, day] = [daysLeft(term), dayText(term.deadline, lang)];
  const texts = {
    over: { en: `It was due on ${day}.`, bg: `Срокът за подаване изтече на ${day}` },
    today: { en: `It is due today, ${day}.`, bg: `Срокът за подаване изтича днес, ${day}` },
    left: {
      en: `It is due on ${day}: ${counted.en(days, 'day', 'days')} left.`,
      bg: `До края на срока (${day}) ${form.bg(days, 'остава', 'остават')} ${counted.bg(days, 'ден', 'дни')}.`,
    },
  };
  return texts[days < 0 ? 'over' : days === 0 ? 'today' : 'left'][lang];
}

export function isLate(term: Term): boolean {
  return daysLeft(term) < 0;
}

function daysLeft({ deadline, writtenAt }: Term): number {
  return Math.round((Date.parse(deadline) - Date.parse(sofiaDay(writtenAt))) / DAY_MS);
}
