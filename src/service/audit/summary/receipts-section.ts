import { words } from './blocks.ts';
import { counted } from './counted.ts';
import type { MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

/** Sales by card whose buyer has no document of art. 52о, as far as is known here. */
export function receiptsSections({ receipts }: MonthSummary): readonly Section[] {
  if (receipts === undefined) return [];
  const { missing, unmailed } = receipts;
  return [
    {
      title: 'Документи за продажбите с карта',
      tone: missing > 0 ? 'action' : 'quiet',
      blocks: [
        ...(missing > 0 ? [words(`${counted(missing, 'поръчка', 'поръчки')} с карта без документ. ${MISSING}`)] : []),
        ...(unmailed > 0 ? [words(`${counted(unmailed, 'документ не е изпратен', 'документа не са изпратени')} на купувача. ${UNMAILED}`)] : []),
      ],
    },
  ];
}

const MISSING =
  'При плащане с карта или чрез доставчик на платежни услуги купувачът получава документ по чл. 52о от Наредба Н-18. Ако го издавате с друга програма, не е нужно да правите нищо; иначе включете автоматичното издаване за магазина (automaticReceipts) и издайте липсващите документи.';
const UNMAILED = 'Поръчката няма годен адрес на електронна поща; дайте документа по друг начин.';
