import { capitalized, dayText, momentText, monthName } from '../../../contract/local-text.ts';
import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import { counted } from '../../../contract/plural.ts';
import type { AuditMail } from './audit-mail.ts';
import { figureFacts } from './month-facts.ts';
import { isLate, statusIn, timeLeft } from './month-status.ts';
import type { MonthSummary } from './month-summary.ts';
import { pageHtml } from './render-summary.ts';
import type { Block, Fact, Section, SummaryPage } from './summary-page.ts';
import { pageText } from './summary-text.ts';
import { WAY_OUT, wayOutOf } from './ways-to-act.ts';

/** A month of one of their shops. `link`: theirs to its page; null: there is none. */
export type AccountantRow = { summary: MonthSummary; link: string | null };

/** Is it still to be filed, or something to be done before? */
export function isOpenRow({ situation: { kind }, figures }: MonthSummary): boolean {
  return kind === 'open' ? figures.orders > 0 : kind !== 'filed' && kind !== 'nothing' && kind !== 'empty';
}

/** One mail of a month to an accountant of several shops, in Bulgarian: each shop with its state, sums and link. The files are behind the links. */
export function accountantMail(kind: 'month' | 'reminder', rows: readonly [AccountantRow, ...AccountantRow[]]): AuditMail {
  const [{ summary }] = rows;
  const { month, deadline, writtenAt } = summary;
  const sections = sectionsOf(rows);
  const urgent = rows.filter((row) => statusIn(row.summary, 'bg').tone === 'problem').length;
  const shops = counted.bg(rows.length, 'магазин', 'магазина');
  const reminder = kind === 'reminder' ? 'напомняне: ' : '';
  const attention = urgent === 0 ? '' : `, ${counted.bg(urgent, 'иска', 'искат')} внимание`;
  const term = isLate(summary) ? `срокът изтече на ${dayText(deadline)}` : `срок: ${dayText(deadline)}`;
  const page: SummaryPage = {
    kind: 'Одиторски файлове по Наредба Н-18, Приложение № 38',
    title: capitalized(monthName(month, 'bg')),
    shop: { name: shops, facts: [] },
    status: {
      tone: urgent === 0 ? 'action' : 'problem',
      label: capitalized(`${reminder}${shops}${attention}`),
      words: `${timeLeft(summary, 'bg')} Файловете за подаване и формата „подаден“ са на страницата на всеки магазин.`,
    },
    figures: totals(rows, summary.currency),
    sections,
    footer: [
      `Писмото е изготвено автоматично на ${momentText(writtenAt, 'bg')} Вие го получавате вместо отделни писма за всеки магазин.`,
      'Всяка връзка отваря само своята фирма и е само за вас: който я има, може да вижда и отбелязва месеците ѝ.',
      'За всички фирми заедно отворете „Всички месеци“ на някоя от страниците и поискайте код по пощата.',
    ],
  };
  const subject = `${reminder}одиторски файлове за ${monthName(month, 'bg')}: ${shops}${attention} (${term})`;
  return { subject: capitalized(subject), html: pageHtml(page), text: pageText(page) };
}

/** By their state, the most urgent first. */
function sectionsOf(rows: readonly AccountantRow[]): Section[] {
  const judged = rows.map((row) => ({ blocks: blocks(row), status: statusIn(row.summary, 'bg') }));
  return (['problem', 'action', 'quiet', 'good'] as const).flatMap((tone) => {
    const byLabel = Map.groupBy(
      judged.filter(({ status }) => status.tone === tone),
      ({ status }) => status.label,
    );
    return [...byLabel].map(([label, some]) => ({ title: `${label}: ${some.length}`, tone, blocks: some.flatMap((one) => one.blocks) }));
  });
}

function blocks({ summary: { shop, figures, currency }, link }: AccountantRow): Block[] {
  const facts = figureFacts(figures, currency, 'bg').map(({ label, value }) => `${label}: ${value}`);
  const words = [shop.companyName, shop.name, ...facts].join(', ');
  if (link === null) return [{ kind: 'words', words }];
  return [
    { kind: 'link', words, href: link },
    { kind: 'link', words: WAY_OUT.words, href: wayOutOf(link) },
  ];
}

/** All of a month are in one currency. */
function totals(rows: readonly AccountantRow[], currency: string): readonly Fact[] {
  const figures = rows.map(({ summary }) => summary.figures);
  const count = (of: 'orders' | 'returns' | 'withoutRate') => figures.reduce((all, one) => all + (one[of] ?? 0), 0);
  const money = (of: 'total' | 'vat' | 'returned') => formatMoney(sum(figures.map((one) => exactMoney(one[of], 2))), 2);
  const counts = { orders: count('orders'), returns: count('returns'), withoutRate: count('withoutRate') };
  return figureFacts({ ...counts, total: money('total'), vat: money('vat'), returned: money('returned') }, currency, 'bg');
}
