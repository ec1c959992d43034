import { table, text } from './blocks.ts';
import type { HeaderChange, MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

const headerWords: Readonly<Record<HeaderChange['field'], string>> = {
  companyUic: 'ЕИК',
  nraNumber: 'Е-магазин №',
  domain: 'Адрес',
  eShopType: 'Вид на магазина',
};

const headerFlags: Readonly<Partial<Record<HeaderChange['field'], string>>> = {
  companyUic: '--company-uic NUMBER',
  nraNumber: '--nra-number NUMBER',
  domain: '--domain DOMAIN',
};

/** The page asks which number the month is of: made again, its file bears the new one. */
export function headerSection({ changes, shop }: MonthSummary): readonly Section[] {
  const header = changes.rows.filter((row) => row.change === 'header');
  if (header.length === 0) return [];
  const rows = table({
    columns: [text('Данни'), text('В последната версия'), text('Сега')],
    rows: header,
    cells: ({ field, from, to }) => [headerWords[field], from, to],
  });
  const flags = header.flatMap(({ field }) => headerFlags[field] ?? []).join(' ');
  const command = `orderbridge shop update ${shop.id} ${flags}`;
  const steps = [
    {
      words:
        'Новите данни важат за всички месеци, които не са подадени. Ако този месец е с досегашните (новите са дадени за по-късен), върнете първо досегашните. Ако друг поддържа услугата, изпратете му тази команда:',
      command,
    },
    { words: 'След това запишете новите с първия месец, за който важат:', command: `${command} --valid-from MONTH` },
  ];
  return [{ title: 'Променени данни на магазина', tone: 'problem', blocks: flags === '' ? [rows] : [rows, { kind: 'steps', steps }] }];
}
