import type { auditFileInEnglish } from './audit-file-en.ts';
import { countBg, ordersBg } from './counts-bg.ts';

const errors = (n: number): string => countBg(n, 'грешка', 'грешки');
const returnsBg = (n: number): string => countBg(n, 'връщане', 'връщания');

export const auditFileInBulgarian: typeof auditFileInEnglish = {
  sums: ({ orders, net, vat, total, returns, returned }) =>
    `${ordersBg(orders)}, ${net} + ${vat} ДДС = ${total}; ${countBg(returns, 'върната поръчка', 'върнати поръчки')}, ${returned}`,
  errors,
  warnings: (n) => countBg(n, 'предупреждение', 'предупреждения'),
  titles: { errors: 'ГРЕШКИ', warnings: 'ПРЕДУПРЕЖДЕНИЯ' },
  lang: 'bg',
  line: (line) => `ред ${line}`,
  order: (number) => `поръчка ${number}`,
  notAudit: (file) => `${file} не е одиторски файл.`,
  head: ({ file, month, shop, company }) => `${file}: месец ${month ?? 'неизвестен'}, магазин ${shop ?? '-'}, ЕИК ${company ?? '-'}`,
  hasErrors: (file, n) => `в ${file} има ${errors(n)}; не го подавайте, докато не бъдат отстранени`,
  or: (first, second) => `${first} или ${second}`,
  unreadable: (file, why) => `${file} не може да бъде прочетен: ${why}`,
  diff: {
    notComparable: (files) => `не е одиторски файл: ${files}; \`orderbridge service audit verify\` казва защо`,
    differ: 'файловете се различават',
    same: (orders, returns) => `Файловете казват едно и също: ${ordersBg(orders)}, ${returnsBg(returns)}.`,
    agree: (orders, returns) => `Съвпадат ${ordersBg(orders)} и ${returnsBg(returns)}.`,
    titles: {
      header: 'ЗАГЛАВНА ЧАСТ',
      sums: 'СУМИ',
      orders: 'ПОРЪЧКИ, КОИТО СЕ РАЗЛИЧАВАТ',
      returns: 'ВРЪЩАНИЯ, КОИТО СЕ РАЗЛИЧАВАТ',
      ordersOnly: { first: 'ПОРЪЧКИ САМО В ПЪРВИЯ ФАЙЛ', second: 'ПОРЪЧКИ САМО ВЪВ ВТОРИЯ ФАЙЛ' },
      returnsOnly: { first: 'ВРЪЩАНИЯ САМО В ПЪРВИЯ ФАЙЛ', second: 'ВРЪЩАНИЯ САМО ВЪВ ВТОРИЯ ФАЙЛ' },
    },
    article: (name) => `артикул ${name ?? 'без наименование'}`,
    onlyIn: (which) => (which === 'first' ? 'само в първия файл' : 'само във втория файл'),
    order: (number, document, total) => `поръчка ${number ?? 'без номер'}, документ ${document}, ${total}`,
    return: (number, amount, day) => `поръчка ${number ?? 'без номер'}, ${amount} на ${day}`,
    nothing: 'нищо',
  },
};
