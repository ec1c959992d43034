import { mailedCode } from '../../contract/mail-words.ts';
import { messages } from '../../contract/messages.ts';

/** What a merchant sees and changes of their store by themselves. */
export const own = messages({
  code: {
    ...mailedCode,
    title: { en: 'A code by mail', bg: 'Код по пощата' },
    intro: {
      en: 'You open files, answers and your mailbox with a code that we mail to you. The address of this page is not enough.',
      bg: 'Файловете, отговорите и пощата ви се отварят с код, който изпращаме на пощата ви. Самият адрес на тази страница не ги отваря.',
    },
    enter: { en: 'Open', bg: 'Отворете' },
    none: {
      en: 'No mailbox of yours is known here, or no mails are sent from here. The person who sent you the link can give you the files and put in your answers.',
      bg: 'Тук не е записана ваша поща или оттук не се изпращат писма. Този, който ви изпрати връзката, може да ви даде файловете и да въведе отговорите ви.',
    },
  },
  mailbox: {
    title: { en: 'Your mailbox', bg: 'Вашата поща' },
    now: { en: (mail: string): string => `Mails to you go to ${mail}.`, bg: (mail: string) => `Писмата до вас отиват на ${mail}.` },
    label: { en: 'Another mailbox', bg: 'Друга поща' },
    hint: {
      en: 'We mail a code there first, and nothing else until you type it here; then we notify your old address.',
      bg: 'Първо изпращаме код там. Докато не го въведете тук, друго не изпращаме; после съобщаваме на досегашната поща.',
    },
    wrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
    send: { en: 'Mail a code there', bg: 'Изпратете код там' },
  },
  orders: {
    title: { en: 'Orders of the last 90 days', bg: 'Поръчки от последните 90 дни' },
    lead: { en: 'Your customers are not shown here.', bg: 'Клиентите ви не се показват тук.' },
    none: { en: 'No order was paid in these days.', bg: 'В тези дни няма платени поръчки.' },
    columns: {
      number: { en: 'Order', bg: 'Поръчка' },
      paid: { en: 'Paid', bg: 'Платена' },
      total: { en: 'Amount', bg: 'Сума' },
      state: { en: 'State', bg: 'Състояние' },
      document: { en: 'Document', bg: 'Документ' },
    },
    all: { en: 'All orders of the last 90 days', bg: 'Всички поръчки от последните 90 дни' },
  },
  figures: {
    title: { en: 'How your store is doing', bg: 'Състояние на магазина' },
    webhook: { en: 'Last message of the store', bg: 'Последно съобщение от магазина' },
    month: {
      en: (month: string, orders: string, sum: string | null): string => `Orders recorded in ${month}: ${orders}${sum === null ? '' : ` (${sum})`}.`,
      bg: (month: string, orders: string, sum: string | null) => `Записани поръчки за ${month}: ${orders}${sum === null ? '' : ` (${sum})`}.`,
    },
    week: { en: 'Messages of the last 7 days', bg: 'Съобщения за последните 7 дни' },
    answer: { en: 'Tell us what it is', bg: 'Уточнете какво е' },
    files: { en: 'Files', bg: 'Файлове' },
    file: {
      xml: { en: 'XML for the NRA', bg: 'XML за НАП' },
      bookkeeping: { en: 'CSV for bookkeeping', bg: 'CSV за счетоводството' },
    },
    mailbox: { en: 'Change your mailbox', bg: 'Сменете пощата' },
  },
});
