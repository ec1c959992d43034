import { capitalized } from '../../bulgarian/capitalized.ts';
import { dayText, momentText, monthText } from '../../bulgarian/day-text.ts';
import { moneyText } from '../../bulgarian/money-text.ts';
import { numberText } from '../../bulgarian/number-text.ts';
import { counted } from './counted.ts';
import { timeLeft } from './deadline-words.ts';
import { doubtfulSections } from './doubtful-sections.ts';
import { errorSections, warningSections } from './finding-sections.ts';
import { headerSection } from './header-section.ts';
import { listSections } from './list-sections.ts';
import { statusOf } from './month-status.ts';
import { stepsOf } from './month-steps.ts';
import type { FileVersion, MonthSummary, SummaryShop } from './month-summary.ts';
import { lacksChanges } from './month-urgency.ts';
import { ordersSections } from './orders-section.ts';
import { outstandingSections } from './outstanding-words.ts';
import { receiptsSections } from './receipts-section.ts';
import { skippedSection } from './skipped-section.ts';
import type { RowLimits } from './summary-limits.ts';
import type { Block, Fact, Section, Status, SummaryPage } from './summary-page.ts';
import { sumsSections } from './sums-section.ts';
import { untoldSection } from './untold-section.ts';
import { BY_COMMAND, linkBlock, type Way, waysToAct } from './ways-to-act.ts';

/** The purpose of the page: a summary to read at any time, or a reminder of a file that is not marked as filed. */
export type Occasion = 'summary' | 'reminder';

type Composing = {
  occasion: Occasion;
  limits: RowLimits;
  /** By commands if absent. */
  way?: Way;
};

/** The whole summary in Bulgarian, in reading order: the status of the month, what to do, what is wrong, the figures, the file. */
export function composePage(summary: MonthSummary, { occasion, limits, way = BY_COMMAND }: Composing): SummaryPage {
  return {
    kind: 'Одиторски файл по Наредба Н-18, Приложение № 38',
    title: capitalized(monthText(summary.month)),
    shop: { name: summary.shop.name, facts: shopFacts(summary.shop) },
    status: occasion === 'reminder' ? reminderStatus(summary) : statusOf(summary),
    figures: figuresOf(summary),
    sections: sectionsOf(summary, { limits, way }),
    footer: [
      `Справката е изготвена автоматично на ${momentText(summary.writtenAt)} Тя е само за преглед; подава се XML файлът.`,
      'Не съдържа лични данни на купувачи.',
    ],
  };
}

function sectionsOf(summary: MonthSummary, { limits, way }: { limits: RowLimits; way: Way }): readonly Section[] {
  return [
    ...outstandingSections(summary, limits.rows),
    ...headerSection(summary),
    ...untoldSection(summary),
    ...(way.kind === 'page' ? [] : saidSections(summary)),
    ...stepsSection(summary, way),
    ...errorSections(summary, limits.rows),
    ...warningSections(summary),
    ...doubtfulSections(summary),
    ...receiptsSections(summary),
    ...sumsSections(summary),
    ...listSections(summary, limits.rows),
    ...(way.kind === 'page' ? [] : skippedSection(summary, limits.rows)),
    ...ordersSections(summary, limits.orders),
    ...fileSection(summary),
  ];
}

function reminderStatus(summary: MonthSummary): Status {
  const status = statusOf(summary);
  const isReady = summary.situation.kind === 'generated' && summary.outstanding === undefined && !lacksChanges(summary);
  const words = isReady ? `Файлът още не е отбелязан като подаден. ${timeLeft(summary)}` : status.words;
  return { ...status, words: `Напомняне. ${words}` };
}

function shopFacts({ companyName, companyId, shopNumber, domain, validFrom, validUntil }: SummaryShop): readonly Fact[] {
  return [
    { label: 'Търговец', value: companyName },
    { label: 'ЕИК', value: companyId },
    { label: 'Е-магазин №', value: shopNumber },
    { label: 'Адрес', value: domain },
    ...(validFrom === undefined ? [] : [{ label: 'Тези данни важат от', value: monthText(validFrom) }]),
    ...(validUntil === undefined ? [] : [{ label: 'Тези данни важат до', value: monthText(validUntil) }]),
  ];
}

function figuresOf({ figures, currency }: MonthSummary): readonly Fact[] {
  if (figures.orders === 0) return [];
  return [
    { label: 'Поръчки', value: ordersText(figures) },
    { label: 'Общо с ДДС', value: moneyText(figures.total, currency) },
    { label: 'ДДС', value: moneyText(figures.vat, currency) },
    { label: figures.returns === 0 ? 'Върнати суми' : counted(figures.returns, 'връщане', 'връщания'), value: moneyText(figures.returned, currency) },
  ];
}

function ordersText({ orders, withoutRate = 0 }: MonthSummary['figures']): string {
  const all = numberText(String(orders));
  return withoutRate === 0 ? all : `${all}, от които ${numberText(String(withoutRate))} без курс и извън сборовете`;
}

function stepsSection(summary: MonthSummary, way: Way): readonly Section[] {
  const steps: Block = { kind: 'steps', steps: waysToAct(stepsOf(summary), way) };
  return [{ title: 'Какво да направите сега', tone: 'action', blocks: [...linkBlock(way), steps] }];
}

/** What people said of the month, in their words. */
function saidSections({ situation }: MonthSummary): readonly Section[] {
  if (situation.kind === 'rejected' && situation.words !== undefined)
    return [{ title: 'Съобщението на НАП', tone: 'problem', blocks: [{ kind: 'words', words: situation.words }] }];
  if (situation.kind === 'nothing') return [{ title: 'Бележка', tone: 'quiet', blocks: [{ kind: 'words', words: situation.note }] }];
  return [];
}

function fileSection({ situation }: MonthSummary): readonly Section[] {
  if (!('file' in situation)) return [];
  const facts = [...filingFacts(situation), ...fileFacts(situation.file)];
  return [{ title: 'Файлът', tone: 'quiet', blocks: [{ kind: 'facts', facts }] }];
}

function filingFacts(situation: MonthSummary['situation']): readonly Fact[] {
  if (situation.kind !== 'filed') return [];
  const { filedOn, incomingNumber } = situation;
  return [{ label: 'Подаден', value: dayText(filedOn) }, ...(incomingNumber === undefined ? [] : [{ label: 'Входящ номер', value: incomingNumber }])];
}

function fileFacts({ name, version, createdAt, bytes, sha256 }: FileVersion): readonly Fact[] {
  return [
    { label: 'Име', value: name },
    { label: 'Версия', value: String(version) },
    { label: 'Изготвен', value: momentText(createdAt) },
    { label: 'Големина', value: counted(bytes, 'байт', 'байта') },
    { label: 'SHA-256', value: sha256 },
  ];
}
