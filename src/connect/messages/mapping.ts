import { orders as ordersOf } from '../../console/messages/orders.ts';
import { review } from '../../console/messages/review.ts';
import { messages } from '../../contract/messages.ts';
import { form, orderCount } from '../../contract/plural.ts';
import { otherWhys } from './trial.ts';

/** Rates and payment methods, by looking at the store's last orders. */
export const mapping = messages({
  title: { en: 'VAT and payments', bg: 'ДДС и плащания' },
  fromStore: {
    en: (n: number, days: number): string =>
      `We looked at the ${orderCount.en(n)} of your last ${days} days, and recorded nothing. This is how they would be recorded.`,
    bg: (n: number, days: number) => `Погледнахме поръчките ви от последните ${days} дни (${n}), без да записваме нищо. Ето как биха били отчетени.`,
  },
  fromLedger: {
    en: (n: number): string => `${orderCount.en(n)} have come from your store by now, and nothing was recorded. This is how they would be.`,
    bg: (n: number) => `Досега от магазина ${form.bg(n, 'е дошла 1 поръчка', `са дошли ${n} поръчки`)} и нищо не е записано. Ето как биха били отчетени.`,
  },
  nothing: {
    en: 'No order has come yet. Go on: we’ll ask about anything your first orders raise.',
    bg: 'Още не е дошла поръчка. Продължете: за каквото се появи с първите поръчки, ще ви попитаме тогава.',
  },
  none: {
    en: 'No order has come yet. Say what you know now; we’ll ask about the rest when it comes up.',
    bg: 'Още не е дошла поръчка. Кажете каквото знаете сега; за останалото ще попитаме, когато се появи.',
  },
  failed: {
    refused: {
      en: 'Your store refuses its key, so we couldn’t read its orders. Ask the person who invited you: a new key is needed.',
      bg: 'Магазинът отказва ключа и поръчките му не можаха да бъдат погледнати. Обърнете се към този, който ви покани: нужен е нов ключ.',
    },
    app: {
      en: 'We couldn’t read your orders, because the app is not set up right on our side. The person who runs this service must fix it: there is nothing for you to do.',
      bg: 'Поръчките ви не можаха да бъдат погледнати, защото приложението не е настроено правилно при нас. Трябва да го поправи този, който поддържа услугата: от вас не се иска нищо.',
    },
    frozen: {
      en: 'Your store is frozen until its bill is paid where it runs, so we couldn’t read its orders.',
      bg: 'Магазинът е замразен, докато сметката му не бъде платена на платформата му, и поръчките му не можаха да бъдат погледнати.',
    },
    locked: {
      en: 'Your store is locked, so we couldn’t read its orders: its owner must ask the support of those with whom it runs.',
      bg: 'Магазинът е заключен и поръчките му не можаха да бъдат погледнати: собственикът му трябва да се обърне към поддръжката на платформата му.',
    },
    blocked: {
      en: 'A firewall, a password or a security plugin before your store keeps us out, so we couldn’t read its orders. Let its API through.',
      bg: 'Защитна стена, парола или модул за сигурност пред магазина не ни пуска и поръчките му не можаха да бъдат погледнати. Разрешете достъпа до неговия API.',
    },
    unreachable: {
      en: 'Your store does not answer now, so we couldn’t read its orders. Try again in a minute.',
      bg: 'Магазинът не отговаря в момента и поръчките му не можаха да бъдат погледнати. Опитайте пак след минута.',
    },
  },
  again: { en: 'Look again', bg: 'Погледнете пак' },
  result: {
    en: (recorded: number, all: number, sum: string | null): string =>
      `${recorded} of ${orderCount.en(all)} would be recorded${sum === null ? '' : `: ${sum}`}`,
    bg: (recorded: number, all: number, sum: string | null) =>
      `${recorded} от ${orderCount.bg(all)} ${form.bg(recorded, 'би била записана', 'биха били записани')}${sum === null ? '' : `: ${sum}`}`,
  },
  proposed: {
    en: (recorded: number, all: number, sum: string): string => `If you confirm what is proposed below, it is ${recorded} of ${all}: ${sum}`,
    bg: (recorded: number, all: number, sum: string) => `Ако потвърдите предложеното по-долу, ще са ${recorded} от ${all}: ${sum}`,
  },
  open: {
    en: (n: number): string => form.en(n, 'One question waits for your answer below.', `${n} questions wait for your answer below.`),
    bg: (n: number) => form.bg(n, 'Един въпрос по-долу чака отговора ви.', `${n} въпроса по-долу чакат отговора ви.`),
  },
  resultNone: { en: 'No paid orders yet.', bg: 'Още няма платени поръчки.' },
  leftOutTitle: { en: 'What is left out', bg: 'Какво не се отчита' },
  leftOut: { en: (n: number, why: string): string => `${why}: ${orderCount.en(n)}`, bg: (n: number, why: string) => `${why}: ${orderCount.bg(n)}` },
  whys: { en: ordersOf.en.why.ignored, bg: ordersOf.bg.why.ignored },
  otherWhys: { ...otherWhys, unknown: { en: 'could not be read', bg: 'не можа да бъде прочетена' } },
  stopped: {
    en: (n: number, means: string, numbers: string): string => `We would ask about ${orderCount.en(n)}: ${means} (${numbers})`,
    bg: (n: number, means: string, numbers: string) => `За ${orderCount.bg(n)} ще трябва решение: ${means} (${numbers})`,
  },
  seen: {
    en: (n: number): string => (n === 0 ? 'in no order yet' : `in ${orderCount.en(n)}`),
    bg: (n: number) => (n === 0 ? 'още в никоя поръчка' : `в ${orderCount.bg(n)}`),
  },
  known: { en: 'certain', bg: 'сигурно' },
  said: { en: 'you said so', bg: 'казано от вас' },
  confirm: { en: 'please confirm', bg: 'потвърдете' },
  rates: { en: 'VAT rates', bg: 'Ставки на ДДС' },
  rate: { en: (percent: string): string => `${percent} %`, bg: (percent: string) => `${percent} %` },
  group: { en: 'VAT group', bg: 'Данъчна група' },
  groups: { en: review.en.choice.groups, bg: review.bg.choice.groups },
  payments: { en: 'Payment methods', bg: 'Начини на плащане' },
  type: { en: 'How it is paid', bg: 'Как се плаща' },
  types: { en: review.en.choice.types, bg: review.bg.choice.types },
  choose: { en: review.en.choice.choose, bg: review.bg.choice.choose },
  processor: { en: review.en.choice.name, bg: review.bg.choice.name },
  processorHint: { en: review.en.choice.nameHint, bg: review.bg.choice.nameHint },
  onDelivery: { en: 'The customer pays on delivery', bg: 'Клиентът плаща при доставката' },
  onDeliveryWhen: {
    title: { en: 'Orders that are paid on delivery', bg: 'Поръчки, които се плащат при доставката' },
    hint: {
      en: (n: number): string =>
        `Your store does not say when you have their money.${n === 0 ? '' : ` ${form.en(n, 'One of the last orders is', `${n} of the last orders are`)} on the way, and not paid yet.`}`,
      bg: (n: number) =>
        `Магазинът не казва кога парите за тях са у вас.${n === 0 ? '' : ` ${form.bg(n, 'Една от последните поръчки пътува и още не е платена.', `${n} от последните поръчки пътуват и още не са платени.`)}`}`,
    },
    completed: {
      en: 'Record them when they are completed: the parcel is handed over and paid',
      bg: 'Записвай ги, когато са изпълнени: пратката е предадена и платена',
    },
    processing: { en: 'Record them when you take them in, before they are paid', bg: 'Записвай ги, когато ги приемете, преди да са платени' },
  },
  statuses: { en: 'Statuses of your plugins', bg: 'Статуси от добавките ви' },
  statusesHint: {
    en: 'In which of them has the order been paid? Without a tick the order waits until it is paid or completed.',
    bg: 'В кои от тях поръчката е вече платена? Без отметка тя чака, докато бъде платена или изпълнена.',
  },
  paid: {
    en: (name: string, n: number): string => `${name} (${n === 0 ? 'in no order yet' : orderCount.en(n)})`,
    bg: (name: string, n: number) => `${name} (${n === 0 ? 'още в никоя поръчка' : orderCount.bg(n)})`,
  },
  notes: {
    rounded: {
      en: (n: number): string =>
        `Your store rounds tax on the subtotal, so the lines of ${orderCount.en(n)} are a cent off the total. We read them with all decimals, and record them to the cent.`,
      bg: (n: number) =>
        `Магазинът закръгля данъка върху междинната сума и редовете на ${orderCount.bg(n)} се разминават със сумата с цент. Четем ги с всички знаци и ги записваме точно до цента.`,
    },
    cents: {
      en: (n: number): string => `The lines of ${orderCount.en(n)} are a cent off the total. We read them with all decimals, and record them to the cent.`,
      bg: (n: number) => `Редовете на ${orderCount.bg(n)} се разминават със сумата с цент. Четем ги с всички знаци и ги записваме точно до цента.`,
    },
    net: {
      en: 'Prices are entered without VAT in your store. What is recorded is what the customer paid, VAT included.',
      bg: 'Цените в магазина са въведени без ДДС. Отчита се платеното от клиента, с включен ДДС.',
    },
    decimals: {
      en: (n: number): string => `Your store shows ${n} decimals. Amounts with more than the currency has can’t be recorded.`,
      bg: (n: number) => `Магазинът показва суми с ${n} знака след запетаята. Суми с повече знаци, отколкото има валутата, не могат да бъдат записани.`,
    },
    currency: {
      en: (name: string): string => `Your store sells in ${name}. The record is in ${name}, and the file converts it at the central bank’s rate.`,
      bg: (name: string) => `Магазинът продава в ${name}. Записът е в ${name}, а във файла сумата се превалутира по курса на централната банка.`,
    },
    untaxed: {
      en: 'Your store calculates no tax, though its orders have 0 % VAT. If your prices contain VAT, ask the person who invited you before you choose a group for 0 %.',
      bg: 'Магазинът не начислява данък и поръчките му са с 0 % ДДС. Ако цените ви съдържат ДДС, попитайте този, който ви покани, преди да изберете група за 0 %.',
    },
  },
  problems: {
    open: { en: 'Say when orders that are paid on delivery are recorded.', bg: 'Кажете кога се записват поръчките, които се плащат при доставката.' },
    nameless: {
      en: 'A payment service needs its name and number, a virtual POS its number.',
      bg: 'За доставчик на платежни услуги са нужни името и номерът му, а за виртуален ПОС – номерът му.',
    },
    unknown: { en: 'Choose one of the list.', bg: 'Изберете от списъка.' },
  },
  wrong: { en: 'Something is missing; nothing was saved yet.', bg: 'Нещо липсва; още нищо не е запазено.' },
  save: { en: 'Save and continue', bg: 'Запазете и продължете' },
  saveAlone: { en: 'Save', bg: 'Запазете' },
  saved: {
    en: 'It is saved. Orders that waited for it are decided again; nothing else is needed here.',
    bg: 'Запазено е. Поръчките, които чакаха отговора, се обработват отново; тук не е нужно нищо повече.',
  },
  later: {
    en: 'Questions without an answer stop nothing: their orders wait until you answer.',
    bg: 'Въпрос без отговор не спира нищо: поръчките по него чакат, докато отговорите.',
  },
  gone: {
    en: 'Your store is no longer connected. Ask the person who invited you.',
    bg: 'Магазинът ви вече не е свързан. Обърнете се към този, който ви покани.',
  },
  accountant: { en: 'A link for your accountant', bg: 'Връзка за счетоводителя' },
  accountantBody: {
    en: 'Your accountant can answer instead: the link opens only this page and works for 14 days.',
    bg: 'Вместо вас може да отговори счетоводителят ви. Връзката отваря само тази страница и важи 14 дни.',
  },
  linkOnce: { en: 'Send this address to your accountant. It is shown this once.', bg: 'Изпратете този адрес на счетоводителя си. Показва се само сега.' },
  changed: { en: 'the answers as they were when the page was opened', bg: 'отговорите, каквито бяха при отварянето на страницата' },
  now: { en: 'somebody else answered meanwhile', bg: 'междувременно отговори друг' },
});
