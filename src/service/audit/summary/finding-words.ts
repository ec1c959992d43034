import type { Finding } from '../audit-file.ts';
import type { AuditRule } from '../format/audit-rules.ts';

const CHECK_RETURN = 'Сравнете връщането с магазина и със счетоводството си.';
const COMPARE = 'Сравнете поръчката с магазина. Ако данните ѝ са верни, изпратете справката на онзи, който поддържа услугата.';

const REPLACE = 'Изтрийте поръчката и я създайте отново с верните данни';

/** The rules about orders, their articles and returns. */
const orderFindingWords: Readonly<Record<Exclude<AuditRule, FileRule>, FindingWords>> = {
  'order.number-missing': { title: 'Поръчка без номер.', advice: `${REPLACE}.` },
  'order.number-repeated': { title: 'Две поръчки са с един и същ номер.', advice: 'Проверете дали поръчката не е записана два пъти.' },
  'order.reported-before': { title: 'Поръчката е включена във файла за друг месец.', advice: 'Една поръчка се включва само в един месец; проверете в кой.' },
  'order.document-number': { title: 'Номерът на документа не е от една до десет цифри.', advice: COMPARE },
  'order.document-number-short': { title: 'Номерът на документа е с по-малко от десет цифри.', advice: COMPARE },
  'order.document-number-repeated': { title: 'Две поръчки са с един и същ номер на документ.', advice: COMPARE },
  'order.document-number-reported': { title: 'Номерът на документа е използван за друга продажба във файла за друг месец.', advice: COMPARE },
  'order.net-mismatch': { title: 'Стойността на поръчката без ДДС не е сборът на редовете ѝ.', advice: COMPARE },
  'order.total-mismatch': { title: 'Сумите на поръчката не дават общата ѝ стойност.', advice: COMPARE },
  'order.vat-mismatch': { title: 'ДДС на поръчката не е сборът на ДДС по редовете ѝ.', advice: COMPARE },
  'order.sum-mismatch': { title: 'Общата стойност на поръчката не е сборът на редовете ѝ.', advice: COMPARE },
  'order.discount-shown': {
    title: 'Във файла има отстъпка на отделен ред.',
    advice: 'Как се чете отстъпката, не е уредено еднозначно; уверете се със счетоводителя си, че сумите са верни.',
  },
  'order.transaction-missing': { title: 'Плащане с виртуален ПОС без номер на транзакцията.', advice: `${REPLACE}, като добавите номера на транзакцията.` },
  'order.reference-missing': {
    title: 'Плащане чрез доставчик на платежни услуги без референтен номер.',
    advice: 'Документът за продажбата трябва да съдържа номера; вземете го от доставчика и питайте счетоводителя си дали да поправите файла.',
  },
  'order.processor-missing': {
    title: 'Плащане чрез доставчик на платежни услуги без данни за доставчика.',
    advice: `${REPLACE}, като добавите идентификатора и името на доставчика.`,
  },
  'order.processor-number-missing': {
    title: 'Доставчик на платежни услуги само с име, без идентификатор.',
    advice: 'Изпращайте ЕИК (за чуждестранен: номер по ДДС или регистрационен номер) и името на доставчика; питайте счетоводителя си дали да поправите файла.',
  },
  'order.pos-missing': { title: 'Плащане с виртуален ПОС без номера на терминала.', advice: 'Ако имате номера на терминала, добавете го към плащането.' },
  'order.date-unlikely': {
    title: 'Датата на поръчката или на документа е след месеца или много преди него.',
    advice: 'Проверете дали поръчката е за този месец.',
  },
  'article.name-missing': { title: 'Ред без наименование на стоката или услугата.', advice: `${REPLACE}.` },
  'article.name-cut': {
    title: 'Наименование на стока е съкратено до 200 знака.',
    advice: 'Ако съкратеното наименование не е ясно, дайте на продукта по-кратко.',
  },
  'article.quantity-rounded': {
    title: 'Количество с повече от два знака след запетаята е закръглено.',
    advice: 'Продавайте стоката в мярка, за която два знака са достатъчни.',
  },
  'article.sum-mismatch': { title: 'Сумата на ред не отговаря на количеството, цената и ДДС.', advice: COMPARE },
  'article.vat-mismatch': { title: 'ДДС на ред не отговаря на ставката.', advice: COMPARE },
  'article.vat-rate-unknown': {
    title: 'Ставка на ДДС, различна от 0, 9 и 20 %.',
    advice: 'Проверете със счетоводителя си дали продажбата трябва да е в този файл.',
  },
  'return.date-out-of-month': { title: 'Датата на връщане не е в месеца на файла.', advice: 'Връщането се включва в месеца, в който парите са върнати.' },
  'return.before-order': { title: 'Датата на връщане е преди датата на поръчката.', advice: CHECK_RETURN },
  'return.more-than-order': { title: 'Върната е по-голяма сума от стойността на поръчката.', advice: `${CHECK_RETURN} Възможно е да е записано два пъти.` },
  'return.order-unknown': { title: 'Върнатата поръчка не е в нито един известен файл.', advice: 'Проверете номера на поръчката.' },
  'return.negative': { title: 'Върната сума със знак минус.', advice: CHECK_RETURN },
  'return.count-mismatch': { title: 'Броят на върнатите поръчки не отговаря на списъка им.', advice: CHECK_RETURN },
  'return.total-mismatch': { title: 'Общата върната сума не е сборът на връщанията.', advice: CHECK_RETURN },
  'return.sums-missing': { title: 'Липсва броят или сборът на връщанията.', advice: CHECK_RETURN },
};
const SHOP_SETTINGS = 'Поправете данните на магазина и изгответе файла отново.';

const OUR_MISTAKE = 'Изпратете тази справка на онзи, който поддържа услугата: грешката е в самия файл, не в данните ви.';

const fileFindingWords: Readonly<Record<FileRule, FindingWords>> = {
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

const bulgarian: ReadonlyMap<string, FindingWords> = new Map(Object.entries({ ...fileFindingWords, ...orderFindingWords }));

/** A finding in Bulgarian; in its own words if this version does not know its rule. */
export function findingWords({ rule, words, advice }: Pick<Finding, 'rule' | 'words' | 'advice'>): FindingWords {
  return bulgarian.get(rule) ?? { title: words, advice };
}

/** A finding for the merchant: what is wrong, and what to do. */
type FindingWords = { title: string; advice: string };

/** The rules about the file as a whole. */
type FileRule = Extract<AuditRule, `${'file' | 'encoding' | 'schema' | 'header'}.${string}`>;
