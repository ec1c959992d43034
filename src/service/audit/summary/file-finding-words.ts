import type { AuditRule } from '../format/audit-rules.ts';

/** A finding for the merchant: what is wrong, and what to do. */
export type FindingWords = { title: string; advice: string };

/** The rules about the file as a whole. */
export type FileRule = Extract<AuditRule, `${'file' | 'encoding' | 'schema' | 'header'}.${string}`>;

const OUR_MISTAKE = 'Изпратете тази справка на онзи, който поддържа услугата: грешката е в самия файл, не в данните ви.';
const SHOP_SETTINGS = 'Поправете данните на магазина и изгответе файла отново.';

export const fileFindingWords: Readonly<Record<FileRule, FindingWords>> = {
  'file.not-xml': { title: 'Във файла няма XML.', advice: OUR_MISTAKE },
  'file.not-audit': { title: 'Файлът не е одиторски файл.', advice: OUR_MISTAKE },
  'file.not-well-formed': { title: 'Файлът нарушава правилата на XML.', advice: OUR_MISTAKE },
  'file.document-type': { title: 'Файлът съдържа недопустима декларация DOCTYPE.', advice: OUR_MISTAKE },
  'file.upper-case': { title: 'Имената на елементите са с главни букви.', advice: OUR_MISTAKE },
  'file.namespace': { title: 'Елементите са в пространство от имена, каквото схемата не допуска.', advice: OUR_MISTAKE },
  'file.too-large': { title: 'Поръчка във файла е прекалено голяма, за да бъде проверена.', advice: OUR_MISTAKE },
  'file.no-orders': {
    title: 'Във файла няма нито една поръчка.',
    advice: 'Попитайте счетоводителя си: схемата на НАП не допуска файл без поръчки, дори когато има връщания.',
  },
  'file.sales-removed': {
    title: 'Данните на изтрити поръчки, които файлът трябва да съдържа, са премахнати една година след срока.',
    advice: 'Подайте последната изготвена версия, или попитайте счетоводителя си.',
  },
  'file.document-number-gap': {
    title: 'В поредицата на номерата на документи има пропуск.',
    advice: 'Изяснете какво е станало с липсващите номера. Възможно е да ги е използвал друг магазин на същия търговец.',
  },
  'encoding.unknown': { title: 'Обявеното кодиране не съществува.', advice: OUR_MISTAKE },
  'encoding.mismatch': { title: 'Файлът не е в кодирането, което обявява.', advice: OUR_MISTAKE },
  'encoding.not-windows-1251': { title: 'Файлът не е в кодиране windows-1251.', advice: OUR_MISTAKE },
  'encoding.byte-order-mark': { title: 'Файлът започва с излишен знак за реда на байтовете.', advice: OUR_MISTAKE },
  'schema.violation': { title: 'Файлът не отговаря на схемата на НАП.', advice: OUR_MISTAKE },
  'header.company-number': { title: 'ЕИК на търговеца не е верен.', advice: SHOP_SETTINGS },
  'header.empty': { title: 'Липсва номерът или адресът на електронния магазин.', advice: SHOP_SETTINGS },
  'header.shop-number': {
    title: 'Номерът на електронния магазин не е RF и седем цифри.',
    advice: 'Сравнете го с номера, който НАП е дала на магазина, и ако е грешен, го поправете и изгответе файла отново.',
  },
  'header.month-not-ended': { title: 'Файлът е изготвен, преди месецът да е приключил.', advice: 'Изгответе го отново след края на месеца.' },
  'header.after-deadline': {
    title: 'Файлът е изготвен след крайния срок за подаване.',
    advice: 'Подайте го веднага и се посъветвайте със счетоводителя си: корекции се приемат само в срока.',
  },
  'header.currency': {
    title: 'Сумите не са във валутата на месеца: до 2025 г. левове, от 2026 г. евро.',
    advice: 'Проверете настройката за валута на отчитане и изгответе файла отново.',
  },
};
