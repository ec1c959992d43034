import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** How a connected store does, for its merchant. */
export const status = messages({
  title: { en: (name: string): string => name, bg: (name: string) => name },
  ok: { en: 'All is well', bg: 'Всичко е наред' },
  okWords: {
    en: 'Your paid orders are recorded automatically. There is nothing for you to do.',
    bg: 'Платените ви поръчки се записват сами. Нямате какво да правите.',
  },
  wrong: { en: 'Something needs checking', bg: 'Има нещо за проверка' },
  wrongMailed: {
    en: 'If only you can fix it, a mail with a link is on its way to you. What is not listed as waiting is recorded.',
    bg: 'Ако само вие можете да го поправите, ще получите писмо с връзка. Всичко, което не е посочено като чакащо, се записва.',
  },
  wrongAsk: {
    en: 'If only you can fix it, the person who sent you the link will send you another for it.',
    bg: 'Ако само вие можете да го поправите, този, който ви изпрати връзката, ще ви изпрати друга за това.',
  },
  off: { en: 'Disconnected', bg: 'Изключен' },
  offWords: { en: 'New orders are no longer recorded. What was recorded stays.', bg: 'Нови поръчки вече не се записват. Записаното остава.' },
  trial: { en: 'Not recording yet', bg: 'Още не се записва' },
  trialWords: { en: 'Orders are kept and recorded when you start.', bg: 'Поръчките се пазят и се записват, когато започнете.' },
  goOn: { en: 'Go on', bg: 'Продължете' },
  why: { en: 'What is not right', bg: 'Какво не е наред' },
  waiting: {
    en: (n: number): string => counted.en(n, 'order needs review.', 'orders need review.'),
    bg: (n: number) => counted.bg(n, 'поръчка чака проверка.', 'поръчки чакат проверка.'),
  },
  pending: {
    en: (n: number): string => counted.en(n, 'order is being recorded.', 'orders are being recorded.'),
    bg: (n: number) => counted.bg(n, 'поръчка се записва в момента.', 'поръчки се записват в момента.'),
  },
  last: { en: 'Last order', bg: 'Последна поръчка' },
  lastNone: { en: 'No order has come yet.', bg: 'Още не е дошла поръчка.' },
  lastAt: { en: 'received', bg: 'получена на' },
  from: { en: 'We record orders paid since', bg: 'Записват се поръчки, платени от' },
  were: { en: 'We recorded orders paid from', bg: 'Записани са поръчки, платени от' },
  until: { en: 'until', bg: 'до' },
  months: { en: 'Months', bg: 'Месеци' },
  monthsElsewhere: { en: 'The files of months are made by your tax service.', bg: 'Месечните файлове се изготвят от вашата услуга за отчитане.' },
  monthsNone: { en: 'There is no month yet.', bg: 'Още няма месец.' },
  columns: {
    month: { en: 'Month', bg: 'Месец' },
    state: { en: 'File for the NRA', bg: 'Файл за НАП' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    term: { en: 'To be filed by', bg: 'Срок за подаване' },
  },
  happens: { en: 'What happens from here', bg: 'Какво следва оттук нататък' },
  happensWords: {
    en: [
      'Each paid order and each refund is recorded automatically. Your customers get their documents from here only if that was set up.',
      'The file for the NRA is made each month on the day that you chose, and mailed to you and your accountant.',
      'If you add a payment method, its first order waits until you say on this page what it is.',
      'If you move the store or change its address, nothing is lost: write to the person who sent you the link.',
    ],
    bg: [
      'Записва се всяка платена поръчка и всяко връщане на пари, автоматично. Клиентите ви получават документите си оттук само ако това е настроено.',
      'Файлът за НАП се изготвя всеки месец на избрания от вас ден и се изпраща на вас и на счетоводителя ви.',
      'Ако добавите начин на плащане, първата поръчка с него чака, докато кажете на тази страница какъв е той.',
      'Ако преместите магазина или смените адреса му, нищо не се губи: пишете на този, който ви изпрати връзката.',
    ],
  },
  notes: {
    title: { en: 'Notes in your store', bg: 'Бележки в магазина' },
    off: {
      en: 'If you like, we write a private note at each order in your store: as which document it was recorded, replaced or removed, or why it waits. Your customers do not see it.',
      bg: 'Ако желаете, към всяка поръчка в магазина пишем лична бележка: с какъв документ е записана, дали е заменена или премахната, или защо чака. Клиентите ви не я виждат.',
    },
    on: {
      en: 'At each order in your store we write a private note on what became of it. Your customers do not see it.',
      bg: 'Към всяка поръчка в магазина пишем лична бележка какво е станало с нея. Клиентите ви не я виждат.',
    },
    refused: {
      en: 'Notes were switched off, because the key of your store may only read, or something before the store refuses them, such as a firewall. Make a key with Read/Write rights and give it to the person who sent you the link, or allow /wp-json/wc/ there; then switch them on again.',
      bg: 'Бележките бяха изключени, защото ключът на магазина може само да чете или нещо пред магазина ги отказва, например защитна стена. Създайте ключ с права „Read/Write“ и го дайте на този, който ви изпрати връзката, или разрешете там /wp-json/wc/; после ги включете отново.',
    },
    verbs: { on: { en: 'Write notes', bg: 'Пишете бележки' }, off: { en: 'Stop writing notes', bg: 'Спрете бележките' } },
  },
  remains: { en: 'What remains in your store', bg: 'Какво остава в магазина ви' },
  keep: {
    en: 'Keep the address of this page: it doesn’t expire. Anyone who has it sees what you see.',
    bg: 'Запазете адреса на тази страница: той няма срок. Всеки с този адрес вижда същото като вас.',
  },
  keepUntil: {
    en: (day: string): string =>
      `The address of this page works until ${day}; anyone who opens the app in the administration of the store gets another one. Anyone who has the address sees what you see.`,
    bg: (day: string) =>
      `Адресът на тази страница важи до ${day}; който отвори приложението в администрацията на магазина, получава нов. Всеки с адреса вижда същото като вас.`,
  },
  keepLink: {
    en: 'The link by which you came expires. This page has its own address, which doesn’t: open it, and keep it.',
    bg: 'Връзката, с която дойдохте, има срок. Тази страница има и собствен адрес без срок: отворете го и го запазете.',
  },
  keepDo: { en: 'Open the address to keep', bg: 'Отворете адреса без срок' },
  change: { en: 'Changes', bg: 'Промени' },
  disconnect: { en: 'Disconnect the store', bg: 'Изключете магазина' },
  disconnectTitle: { en: 'Disconnect the store?', bg: 'Да изключим ли магазина?' },
  disconnectWords: {
    en: (name: string): string => `New orders of ${name} will no longer be recorded, from this moment on. You must then register your sales in another way.`,
    bg: (name: string) => `От този момент новите поръчки на ${name} няма да се записват. Тогава трябва да отчитате продажбите си по друг начин.`,
  },
  disconnectPending: {
    en: (n: number): string => counted.en(n, 'order is still being recorded; it will be finished.', 'orders are still being recorded; they will be finished.'),
    bg: (n: number) => counted.bg(n, 'поръчка още се записва; тя се довършва.', 'поръчки още се записват; те се довършват.'),
  },
  disconnectWaiting: {
    en: (n: number): string => counted.en(n, 'order waits for an answer, and keeps waiting.', 'orders wait for an answer, and keep waiting.'),
    bg: (n: number) => counted.bg(n, 'поръчка чака отговор и продължава да го чака.', 'поръчки чакат отговор и продължават да го чакат.'),
  },
  disconnectStays: {
    en: 'What was recorded stays, and so do the files of the months. The notifications that your store sends here are removed from it where its key allows that, and refused else. Then this page says what remains in your store, and where you delete it.',
    bg: 'Записаното остава, както и файловете за месеците. Известията, които магазинът ви изпраща тук, се премахват от него, ако ключът му позволява, а иначе се отказват. После тази страница казва какво остава в магазина ви и къде да го изтриете.',
  },
  disconnectDo: { en: 'Disconnect', bg: 'Изключете магазина' },
  keepIt: { en: 'No, leave it connected', bg: 'Не, нека остане свързан' },
  disconnected: { en: 'The store is disconnected.', bg: 'Магазинът е изключен.' },
  unlink: { en: 'End this link', bg: 'Деактивиране на връзката' },
  unlinkWords: {
    en: 'If somebody else has this address, end it: then it no longer works, nor do links to single steps, such as your accountant’s. Your store is still recorded.',
    bg: 'Ако адреса го има и някой друг, деактивирайте го: тогава той вече не работи, нито връзките само за една стъпка, например на счетоводителя ви. Магазинът ви продължава да се записва.',
  },
  unlinkDo: { en: 'End this link', bg: 'Деактивирайте връзката' },
  unlinkedTitle: { en: 'The link was ended', bg: 'Връзката е прекратена' },
  unlinked: {
    en: 'It no longer works. The person who sent it can send you another.',
    bg: 'Тя вече не работи. Този, който я изпрати, може да ви изпрати друга.',
  },
});
