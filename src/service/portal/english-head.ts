import { capitalized } from '../../contract/local-text.ts';
import { isOverdue, lacksChanges } from '../audit/summary/month-status.ts';
import type { HeaderChange, MonthSituation, MonthSummary } from '../audit/summary/month-summary.ts';
import type { Fact, Status, SummaryPage, Tone } from '../audit/summary/summary-page.ts';
import { sofiaDay } from '../law/calendar.ts';
import { portalMessages } from './messages.ts';

const { day, month: monthText } = portalMessages.en;

const labels: Readonly<Record<MonthSituation['kind'], { tone: Tone; label: string }>> = {
  open: { tone: 'quiet', label: 'To come' },
  generated: { tone: 'action', label: 'Ready to be filed' },
  filed: { tone: 'good', label: 'Filed' },
  rejected: { tone: 'problem', label: 'The agency found errors' },
  blocked: { tone: 'problem', label: 'Not made' },
  empty: { tone: 'action', label: 'No orders' },
  nothing: { tone: 'good', label: 'Nothing to file' },
  'not-ours': { tone: 'quiet', label: 'Before the shop was here' },
  'returns-only': { tone: 'problem', label: 'Returns only' },
  test: { tone: 'quiet', label: 'TEST' },
};

/** The head of a month's page in English: which month of which shop, its status, its figures. */
export function englishHead(summary: MonthSummary): Omit<SummaryPage, 'sections' | 'footer'> {
  const { companyName, companyId, shopNumber, domain, name, validFrom, validUntil } = summary.shop;
  return {
    kind: 'Audit file by Ordinance N-18, Annex 38',
    title: capitalized(monthText(summary.month)),
    shop: {
      name,
      facts: [
        { label: 'Merchant', value: companyName },
        { label: 'Company number (ЕИК)', value: companyId },
        { label: 'E-shop No', value: shopNumber },
        { label: 'Address', value: domain },
        ...(validFrom === undefined ? [] : [{ label: 'These count from', value: monthText(validFrom) }]),
        ...(validUntil === undefined ? [] : [{ label: 'These count until', value: monthText(validUntil) }]),
      ],
    },
    status: statusOf(summary),
    figures: figuresOf(summary),
  };
}

function statusOf(summary: MonthSummary): Status {
  const { situation, outstanding, changes, month } = summary;
  const left = outstanding === undefined ? null : `Paid orders that are not recorded: ${outstanding.orders}.`;
  if (lacksChanges(summary)) {
    const words = `The file of ${monthText(month)} lacks changes: ${changes.count}.${headerWords(summary)} Do not file it: make it again first. ${termOf(summary)}`;
    return { tone: 'problem', label: 'Make it again first', words: sentences(words, left) };
  }
  if (situation.kind === 'generated' && left !== null) return { tone: 'problem', label: 'Ready, but incomplete', words: sentences(left, wordsOf(summary)) };
  if (isOverdue(summary)) {
    const words = `The audit file of ${monthText(month)} should have been made by now, and is not. ${termOf(summary)}`;
    return { tone: 'problem', label: 'Not made yet', words: sentences(words, left) };
  }
  return { ...labels[situation.kind], words: sentences(wordsOf(summary), untoldWords(summary)) };
}

const headerFields: Readonly<Record<HeaderChange['field'], string>> = {
  companyUic: 'Company number (ЕИК)',
  nraNumber: 'E-shop No',
  domain: 'Address',
  eShopType: 'Kind of shop',
};

/** It asks which number the month is of. */
function headerWords({ changes: { rows } }: MonthSummary): string {
  const changed = rows.flatMap((row) => (row.change === 'header' ? [`${headerFields[row.field]}: it has ${row.from}, now it is ${row.to}.`] : []));
  if (changed.length === 0) return '';
  return ` ${changed.join(' ')} Made again, it bears what is now; if that only counts from a later month on, have that month said first.`;
}

/** Of earlier months, until they are settled. */
function untoldWords({ untold = [] }: MonthSummary): string | null {
  const all = untold.map(({ month, returns, total, currency }) => `${monthText(month)} (${returns}, ${total} ${currency})`);
  return all.length === 0 ? null : `No file tells the returns of ${all.join(', ')}: note on the page of that month how they are accounted for.`;
}

function sentences(first: string, second: string | null): string {
  return second === null ? first : `${first} ${second}`;
}

function termOf({ writtenAt, deadline }: MonthSummary): string {
  return sofiaDay(writtenAt) > deadline ? `The term ended on ${day(deadline)}.` : `The term ends on ${day(deadline)}.`;
}

function wordsOf(summary: MonthSummary): string {
  const { situation, month } = summary;
  const file = `The audit file of ${monthText(month)}`;
  const term = termOf(summary);
  switch (situation.kind) {
    case 'open':
      return `${file} is not made yet; it is planned for ${day(situation.generatesOn)}. The sums are those of now. ${term}`;
    case 'generated':
      return `${file} is made (version ${situation.file.version}). File it with the National Revenue Agency. ${term}`;
    case 'filed':
      return `${file} is marked as filed on ${day(situation.filedOn)}.`;
    case 'rejected':
      return `${file} was filed, and the agency found errors in it. A corrected file is needed.`;
    case 'blocked':
      return `${file} is not made: ${situation.errors.length === 0 ? 'exchange rates are missing' : 'the data has errors'}. ${term}`;
    case 'empty':
      return `${monthText(month)} has no orders for the file, so none can be made. ${term}`;
    case 'returns-only':
      return `${monthText(month)} has returns, but no orders for the file, and the agency takes none with returns alone. Agree with your accountant how they are accounted for, and note it below.`;
    case 'test':
      return `This is a test shop: its orders are no real sales, and no file of ${monthText(month)} is made or filed.`;
    case 'nothing':
      return `It is noted that ${monthText(month)} has nothing to file.`;
    case 'not-ours':
      return `The shop is here since ${monthText(situation.since)}: a file of ${monthText(month)} is made where it was before.`;
  }
}

function figuresOf({ figures, currency }: MonthSummary): readonly Fact[] {
  if (figures.orders === 0) return [];
  return [
    { label: 'Orders', value: String(figures.orders) },
    { label: 'Total with VAT', value: `${figures.total} ${currency}` },
    { label: 'VAT', value: `${figures.vat} ${currency}` },
    { label: 'Money given back', value: `${figures.returned} ${currency}` },
  ];
}
