import { amountText, capitalized, dayText, momentText, monthName, numberText } from '../../../contract/local-text.ts';
import { type Lang, messages } from '../../../contract/messages.ts';
import { counted } from '../../../contract/plural.ts';
import { numeric, shorten, table, text, words } from './blocks.ts';
import { errorSections, questionableSections, warningSections } from './finding-sections.ts';
import { listSections, ordersSections, sumsSections } from './list-sections.ts';
import { factName, figureFacts, saidFacts, shopFacts } from './month-facts.ts';
import { statusIn, statusOf, timeLeft } from './month-status.ts';
import { stepsOf } from './month-steps.ts';
import type { FileVersion, HeaderChange, MonthSummary } from './month-summary.ts';
import { outstandingSections } from './outstanding-words.ts';
import type { Block, Fact, RowLimits, Section, Status, SummaryPage, SummaryStep } from './summary-page.ts';
import { BY_COMMAND, linkBlock, type WayToAct } from './ways-to-act.ts';

/** The purpose of the page: a summary to read at any time, or a reminder of a file that is not marked as filed. */
type Occasion = 'summary' | 'reminder';

type Composing = {
  occasion: Occasion;
  limits: RowLimits;
  /** By commands if absent. */
  way?: WayToAct;
};

/** The whole summary in Bulgarian, in reading order: the status of the month, what to do, what is wrong, the figures, the file. */
export function composePage(summary: MonthSummary, { occasion, limits, way = BY_COMMAND }: Composing): SummaryPage {
  return {
    ...headOf(summary, 'bg'),
    ...(occasion === 'reminder' && { status: reminderStatus(summary) }),
    sections: sectionsOf(summary, { limits, way }),
    footer: [
      `Справката е изготвена автоматично на ${momentText(summary.writtenAt, 'bg')} Тя е само за преглед; подава се XML файлът.`,
      'Не съдържа лични данни на купувачи.',
    ],
  };
}

/** Which month of which shop it is, its status, and the most important figures. */
export function headOf(summary: MonthSummary, lang: Lang): Omit<SummaryPage, 'sections' | 'footer'> {
  const { month, shop, figures, currency } = summary;
  return {
    kind: { en: 'Audit file by Ordinance N-18, Annex 38', bg: 'Одиторски файл по Наредба Н-18, Приложение № 38' }[lang],
    title: capitalized(monthName(month, lang)),
    shop: { name: shop.name, facts: shopFacts(shop, lang) },
    status: statusIn(summary, lang),
    figures: figureFacts(figures, currency, lang),
  };
}

function sectionsOf(summary: MonthSummary, { limits, way }: { limits: RowLimits; way: WayToAct }): readonly Section[] {
  return [
    ...outstandingSections(summary, limits.rows),
    ...headerSection(summary, way),
    ...unreportedSection(summary),
    ...(way.kind === 'page' ? [] : saidSections(summary)),
    ...stepsSection(summary, way),
    ...errorSections(summary, limits.rows),
    ...warningSections(summary),
    ...questionableSections(summary),
    ...receiptsSections(summary),
    ...sumsSections(summary),
    ...listSections(summary, limits.rows),
    ...(way.kind === 'page' ? [] : skippedSection(summary, limits.rows, 'bg')),
    ...ordersSections(summary, limits.orders),
    ...fileSection(summary),
  ];
}

function reminderStatus(summary: MonthSummary): Status {
  const status = statusIn(summary, 'bg');
  const words = statusOf(summary) === 'generated' ? `Файлът още не е отбелязан като подаден. ${timeLeft(summary, 'bg')}` : status.words;
  return { ...status, words: `Напомняне. ${words}` };
}

function stepsSection(summary: MonthSummary, way: WayToAct): readonly Section[] {
  const steps: Block = { kind: 'steps', steps: stepsOf(summary, way) };
  return [{ id: 'steps', title: 'Какво да направите сега', tone: 'action', blocks: [...linkBlock(way), steps] }];
}

/** What people said of the month, in their words. */
function saidSections({ situation }: MonthSummary): readonly Section[] {
  if (situation.kind === 'rejected' && situation.words !== undefined)
    return [{ title: 'Съобщението на НАП', tone: 'problem', blocks: [{ kind: 'words', words: situation.words }] }];
  if (situation.kind === 'nothing') return [{ title: 'Бележка', tone: 'quiet', blocks: [{ kind: 'words', words: situation.note }] }];
  return [];
}

function fileSection(summary: MonthSummary): readonly Section[] {
  const { situation } = summary;
  if (!('file' in situation)) return [];
  const facts = [...(situation.kind === 'filed' ? saidFacts(summary, 'bg') : []), ...fileFacts(situation.file)];
  return [{ title: 'Файлът', tone: 'quiet', blocks: [{ kind: 'facts', facts }] }];
}

function fileFacts({ name, version, createdAt, bytes, sha256 }: FileVersion): readonly Fact[] {
  return [
    { label: 'Име', value: name },
    { label: 'Версия', value: String(version) },
    { label: 'Изготвен', value: momentText(createdAt, 'bg') },
    { label: 'Големина', value: counted.bg(bytes, 'байт', 'байта') },
    { label: 'SHA-256', value: sha256 },
  ];
}

const headerFlags: Readonly<Partial<Record<HeaderChange['field'], string>>> = {
  companyUic: '--company-uic NUMBER',
  nraNumber: '--nra-number NUMBER',
  domain: '--domain DOMAIN',
};

/** The page asks which number the month is of: made again, its file bears the new one. */
function headerSection({ changes, shop }: MonthSummary, way: WayToAct): readonly Section[] {
  const header = changes.rows.filter((row) => row.change === 'header');
  if (header.length === 0) return [];
  const rows = table({
    columns: [text('Данни'), text('В последната версия'), text('Сега')],
    rows: header,
    cells: ({ field, from, to }) => [factName(field, 'bg'), from, to],
  });
  const flags = header.flatMap(({ field }) => headerFlags[field] ?? []).join(' ');
  const steps: Block = {
    kind: 'steps',
    steps: way.kind === 'command' ? headerCommands(`orderbridge shop update ${shop.id} ${flags}`) : [{ words: `${HEADER} ${TELL}`, command: null }],
  };
  return [{ title: 'Променени данни на магазина', tone: 'problem', blocks: flags === '' ? [rows] : [rows, steps] }];
}

const HEADER =
  'Новите данни важат за всички месеци, които не са подадени. Ако този месец е с досегашните (новите са дадени за по-късен), върнете първо досегашните.';
const TELL = 'Ако друг поддържа услугата, пишете му, преди да подадете файла: той ще ги върне и ще запише новите с първия месец, за който важат.';

function headerCommands(command: string): readonly SummaryStep[] {
  return [
    { words: `${HEADER} Ако друг поддържа услугата, изпратете му тази команда:`, command },
    { words: 'След това запишете новите с първия месец, за който важат:', command: `${command} --valid-from MONTH` },
  ];
}

/** Sales by card whose buyer has no document of art. 52о, as far as is known here. */
function receiptsSections({ receipts }: MonthSummary): readonly Section[] {
  if (receipts === undefined) return [];
  const { missing, unmailed } = receipts;
  return [
    {
      title: 'Документи за продажбите с карта',
      tone: missing > 0 ? 'action' : 'quiet',
      blocks: [
        ...(missing > 0 ? [words(`${counted.bg(missing, 'поръчка', 'поръчки')} с карта без документ. ${MISSING}`)] : []),
        ...(unmailed > 0 ? [words(`${counted.bg(unmailed, 'документ не е изпратен', 'документа не са изпратени')} на купувача. ${UNMAILED}`)] : []),
      ],
    },
  ];
}

const MISSING =
  'При плащане с карта или чрез доставчик на платежни услуги купувачът получава документ по чл. 52о от Наредба Н-18. Ако го издавате с друга програма, не е нужно да правите нищо; иначе включете автоматичното издаване за магазина (automaticReceipts) и издайте липсващите документи.';
const UNMAILED = 'Поръчката няма годен адрес на електронна поща; дайте документа по друг начин.';

const skippedTexts = messages({
  title: { en: 'Skipped numbers', bg: 'Пропуснати номера' },
  lead: { en: 'No document has these numbers, and none will get them.', bg: 'Тези номера не са дадени и няма да бъдат дадени на документ.' },
  columns: { en: ['From No', 'To No', 'Skipped on', 'Reason'], bg: ['От №', 'До №', 'Пропуснати на', 'Причина'] },
});

/** Numbers that were skipped, and why. */
export function skippedSection({ skipped }: MonthSummary, limit: number, lang: Lang): readonly Section[] {
  if (skipped === undefined) return [];
  const { title, lead, columns } = skippedTexts[lang];
  const { shown, rest } = shorten(skipped, limit, lang);
  const rows = table({ columns: columns.map(text), rows: shown, cells: ({ from, to, skippedOn, why }) => [from, to, dayText(skippedOn, lang), why] });
  return [{ id: 'skipped', title, tone: 'quiet', blocks: [words(lead), rows, ...rest] }];
}

/** Returns of earlier months that no file tells, until somebody says how they were dealt with. */
function unreportedSection({ unreported = [] }: MonthSummary): readonly Section[] {
  if (unreported.length === 0) return [];
  const rows = table({
    columns: [text('Месец'), numeric('Връщания'), numeric('Сума с ДДС')],
    rows: unreported,
    cells: ({ month, returns, total, currency }) => [monthName(month, 'bg'), numberText(String(returns)), `${amountText(total)} ${currency}`],
  });
  const lead = words(
    'В тези месеци няма поръчки, а схемата на НАП не допуска файл само с връщания. Уговорете със счетоводителя си как да бъдат отразени (ДДС се коригира в дневника за продажбите) и отбележете го на страницата на месеца: дотогава те остават и тук.',
  );
  return [{ title: 'Върнати суми, които никой файл не съобщава', tone: 'problem', blocks: [lead, rows] }];
}
