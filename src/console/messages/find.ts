import { messages } from '../../contract/messages.ts';

/** The search of all pages. */
export const find = messages({
  title: { en: 'Search', bg: 'Търсене' },
  titleOf: { en: (q: string): string => `Search: ${q}`, bg: (q: string) => `Търсене: ${q}` },
  kinds: {
    name: { en: 'Orders', bg: 'Поръчки' },
    part: { en: 'Orders whose number starts or ends with this', bg: 'Поръчки с номер, който започва или завършва така' },
    amount: { en: 'Orders of this amount', bg: 'Поръчки на тази сума' },
    buyer: { en: 'Orders of this buyer', bg: 'Поръчки на този купувач' },
    webhooks: { en: 'Webhooks', bg: 'Известия' },
    stores: { en: 'Stores', bg: 'Магазини' },
    pages: { en: 'Pages', bg: 'Страници' },
  },
  more: { en: 'There are more: type more of the number.', bg: 'Има и още: въведете по-голяма част от номера.' },
  newest: { en: 'These are the newest.', bg: 'Това са най-новите.' },
  allOfAmount: { en: 'All orders of this amount', bg: 'Всички поръчки на тази сума' },
  lag: {
    en: (seconds: number): string =>
      `What changed in the last ${seconds} s is found by its whole number or id only: parts of numbers, amounts and e-mails are that far behind.`,
    bg: (seconds: number) =>
      `Промененото през последните ${seconds} сек. се намира само по цял номер или идентификатор: частите от номера, сумите и имейлите изостават с толкова.`,
  },
  none: { en: (q: string): string => `Nothing found for “${q}”.`, bg: (q: string) => `Няма нищо за „${q}“.` },
  searched: {
    en: 'What can be found: an order by its number (whole, or at least three characters of its beginning or end), its id in the store or at the compliance service, its document number or its amount; a webhook by its id, ours or the platform’s; stores and pages by name.',
    bg: 'Какво се търси: поръчка – по номер (цял или поне три знака от началото или края му), по идентификатор в магазина или в услугата за отчитане, по номер на документ и по сума; известие – по идентификатор, наш или на платформата; магазин и страница – по име.',
  },
  byEmail: { en: 'A buyer’s whole e-mail address finds their orders.', bg: 'Целият имейл на купувача намира поръчките му.' },
  noEmail: {
    en: (roles: string): string => `By a buyer’s e-mail address only these can search: ${roles}.`,
    bg: (roles: string) => `По имейл на купувач могат да търсят само: ${roles}.`,
  },
  notSearched: {
    en: 'Buyers’ names, phones and addresses can’t be searched, nor what was bought.',
    bg: 'По име, телефон и адрес на купувача или по стоките не може да се търси.',
  },
  noBuyer: {
    en: 'No order has this e-mail address, or its buyer is erased. It is found only when it is written exactly as in the order.',
    bg: 'Няма поръчка с този имейл или данните на купувача са изтрити. Адресът трябва да е изписан точно както в поръчката.',
  },
  buyer: {
    lead: {
      en: 'This is an e-mail address. Searching by it means viewing personal data, and is logged in Activity (without the address).',
      bg: 'Това е имейл адрес. Търсенето на поръчки по него е преглед на лични данни и остава в „Действия“ (без самия адрес).',
    },
    do: { en: 'Find this buyer’s orders', bg: 'Намери поръчките на този купувач' },
    partial: { en: 'This is not a whole e-mail address.', bg: 'Това не е цял имейл адрес.' },
  },
});
