import { orders as ordersOf } from '../../console/messages/orders.ts';
import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, orderCount } from '../../contract/plural.ts';

/** Why nothing is recorded of an order, beside what the console says of it. */
export const otherWhys: Readonly<Record<string, LocalizedText>> = {
  unpaid: { en: 'not paid yet', bg: 'още не е платена' },
  refunded: { en: 'refunded in full', bg: 'сумата е върната изцяло' },
  removed: { en: 'cancelled', bg: 'отказана' },
  unknown: { en: 'not known yet', bg: 'още не е позната' },
};

/** One order beside its record, a test order, and the start. */
export const trial = messages({
  title: { en: 'Trial and start', bg: 'Пробна поръчка и старт' },
  orderTitle: {
    en: (number: string): string => `Your order ${number}, as it would be recorded`,
    bg: (number: string) => `Поръчка ${number}, както би била отчетена`,
  },
  orderNone: {
    en: 'None of your orders would be recorded yet. The first paid one is shown here.',
    bg: 'Засега никоя от поръчките ви не би била записана. Първата платена ще се покаже тук.',
  },
  orderAsked: {
    en: (means: string): string => `We would ask you about this order: ${means}`,
    bg: (means: string) => `За тази поръчка ще ви попитаме: ${means}`,
  },
  caption: { en: 'Your order and its record, line by line', bg: 'Поръчката и записът ѝ ред по ред' },
  line: { en: 'What was sold', bg: 'Какво е продадено' },
  store: { en: 'In your store', bg: 'В магазина' },
  record: { en: 'In the record', bg: 'В записа' },
  rate: { en: 'VAT', bg: 'ДДС' },
  total: { en: 'Total', bg: 'Общо' },
  refunded: {
    en: (sum: string): string => `${sum} was refunded, and no line says for what.`,
    bg: (sum: string) => `Върнати са ${sum}, без да е казано за кой ред.`,
  },
  same: { en: 'Both match, to the cent.', bg: 'Двете суми съвпадат до цент.' },
  differs: {
    en: 'They differ: go back to “VAT and payments”, or ask the person who invited you.',
    bg: 'Сумите се различават: върнете се на „ДДС и плащания“ или попитайте този, който ви покани.',
  },
  cameTitle: { en: 'Try it with an order', bg: 'Опитайте с поръчка' },
  cameBody: {
    en: 'Place an order in your store as a customer would, and watch it arrive here. Nothing is recorded yet, so you may cancel it afterwards.',
    bg: 'Направете поръчка в магазина като клиент и вижте как идва тук. Още нищо не се отчита и след това можете да я откажете.',
  },
  came: { en: 'Orders received', bg: 'Дошли поръчки' },
  number: { en: 'Order', bg: 'Поръчка' },
  at: { en: 'Received', bg: 'Дошла' },
  what: { en: 'What would happen to it', bg: 'Какво би станало с нея' },
  would: { en: (sum: string): string => `would be recorded: ${sum}`, bg: (sum: string) => `би била записана: ${sum}` },
  asked: { en: (means: string): string => `we would ask you: ${means}`, bg: (means: string) => `ще ви попитаме: ${means}` },
  left: { en: (why: string): string => `nothing: ${why}`, bg: (why: string) => `нищо: ${why}` },
  whys: { en: ordersOf.en.why.ignored, bg: ordersOf.bg.why.ignored },
  otherWhys,
  waits: { en: 'No order has come yet. This page looks again by itself.', bg: 'Още не е дошла поръчка. Страницата поглежда сама отново.' },
  check: { en: 'Nothing arrives? Check the notifications', bg: 'Не идва? Проверете известията' },
  startTitle: { en: 'When to start recording', bg: 'Откога да се отчита' },
  startBody: {
    en: 'From then on each paid order is recorded automatically. This can’t be undone.',
    bg: 'Оттогава нататък всяка платена поръчка се отчита сама. Това не може да бъде върнато назад.',
  },
  away: {
    en: (moment: string): string =>
      `This store recorded here until ${moment}. Orders that were paid since, and before the moment that you choose, are left out: another program may have reported them.`,
    bg: (moment: string) =>
      `Този магазин се отчиташе тук до ${moment}. Платените оттогава поръчки отпреди избрания момент не се отчитат: може да ги е отчела друга програма.`,
  },
  elsewhere: {
    en: (moment: string): string => `Until ${moment} this store was recorded for another company. Choose no earlier day: those orders are reported already.`,
    bg: (moment: string) => `До ${moment} този магазин се отчиташе за друга фирма. Не избирайте по-ранен ден: онези поръчки вече са отчетени.`,
  },
  from: { en: 'Orders that were paid', bg: 'Поръчки, платени' },
  ways: {
    now: { en: 'from now on', bg: 'от сега нататък' },
    month: { en: 'since the first of this month', bg: 'от първо число на този месец' },
    day: { en: 'since a day', bg: 'от определен ден' },
  },
  day: { en: 'Day', bg: 'Ден' },
  dayWrong: { en: 'Choose a day within the last year.', bg: 'Изберете ден от последната година.' },
  show: { en: 'Count them', bg: 'Пребройте ги' },
  none: {
    en: 'That includes no order received so far; the next one will be the first.',
    bg: 'Това не обхваща никоя от дошлите поръчки; първа ще бъде следващата.',
  },
  takes: {
    en: (n: number, sum: string): string => `That includes ${orderCount.en(n)}: ${sum}.`,
    bg: (n: number, sum: string) => `Това обхваща ${orderCount.bg(n)}: ${sum}.`,
  },
  wouldAsk: {
    en: (n: number, means: string): string => `We’ll ask you about ${counted.en(n, 'more order', 'more orders')}: ${means}`,
    bg: (n: number, means: string) => `За още ${orderCount.bg(n)} ще ви попитаме: ${means}`,
  },
  more: {
    en: (n: number, sum: string): string =>
      `Your store has ${counted.en(n, 'more order', 'more orders')} from before it was connected: ${sum}. We record them, too.`,
    bg: (n: number, sum: string) => `Магазинът има още ${orderCount.bg(n)} отпреди да бъде свързан: ${sum}. Те също се прочитат и отчитат.`,
  },
  unread: {
    en: 'Your store does not answer now, so what else it has is not counted. It is read after the start.',
    bg: 'Магазинът не отговаря в момента и не знаем какво още има в него. Ще бъде прочетен след началото.',
  },
  twice: {
    en: 'If another program has reported some of these orders already, choose a later day: else they would be reported twice.',
    bg: 'Ако друга програма вече е отчела част от тези поръчки, изберете по-късен ден, иначе те ще бъдат отчетени два пъти.',
  },
  counted: { en: (from: string): string => `Orders paid ${from}:`, bg: (from: string) => `Поръчки, платени ${from}:` },
  notCounted: {
    en: 'Nothing was started: what you selected had not been counted yet. Look at what it includes, at the end of this page, and press “Start recording” again.',
    bg: 'Нищо не е започнало: избраното от вас още не беше преброено. Вижте какво обхваща то, в края на тази страница, и натиснете отново „Започнете отчитането“.',
  },
  start: { en: 'Start recording', bg: 'Започнете отчитането' },
  startOf: { en: 'The start of recording', bg: 'Началото на отчитането' },
  since: { en: (day: string): string => `from ${day}`, bg: (day: string) => `от ${day}` },
});
