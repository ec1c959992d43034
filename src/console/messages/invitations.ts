import { messages } from '../../contract/messages.ts';
import { languageNames } from '../../contract/said.ts';

/** Links by which merchants connect their stores. */
export const invitations = messages({
  title: { en: 'Invite a merchant', bg: 'Покана на търговец' },
  intro: {
    en: 'A merchant who has a link connects one store, sees how his own orders would be recorded, and starts. He can stop and come back for 14 days.',
    bg: 'Търговец, който има връзка, свързва един магазин, вижда как биха се записали собствените му поръчки и започва. 14 дни може да спира и да се връща.',
  },
  email: { en: 'His e-mail', bg: 'Имейл на търговеца' },
  emailHint: {
    en: 'Where he is mailed later what only he can do. It may be empty; then give him links yourself.',
    bg: 'Тук по-късно получава това, което само той може да направи. Може да е празно; тогава му давайте връзките сами.',
  },
  emailHintMail: {
    en: 'The link is mailed there, and later what only he can do. It may be empty; then give him links yourself.',
    bg: 'Тук се изпраща връзката, а по-късно и това, което само той може да направи. Може да е празно; тогава му давайте връзките сами.',
  },
  emailWrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
  shop: { en: 'His shop at the compliance service', bg: 'Обектът му в услугата за отчитане' },
  shopNew: { en: 'he makes one', bg: 'ще създаде свой' },
  company: { en: 'His company (ЕИК)', bg: 'Фирмата му (ЕИК)' },
  companyHint: {
    en: 'Of which he makes a shop. It may be empty; then he names it, and his mailbox or you confirm it.',
    bg: 'За нея създава обект. Може да е празно; тогава той я посочва, а пощата му или вие я потвърждавате.',
  },
  companyWrong: { en: 'This is not a ЕИК.', bg: 'Това не е ЕИК.' },
  waits: {
    en: (company: string, name: string): string => `says that the company ${company}${name === '' ? '' : ` (${name})`} is his`,
    bg: (company: string, name: string) => `казва, че фирмата ${company}${name === '' ? '' : ` (${name})`} е негова`,
  },
  others: {
    en: (names: string): string => `It is already of: ${names}. Who is confirmed, too, gets document numbers of the same sequence.`,
    bg: (names: string) => `Вече е на: ${names}. Който бъде потвърден и той, получава номера на документи от същата поредица.`,
  },
  confirm: { en: 'It is his', bg: 'Негова е' },
  refuse: { en: 'It is not his', bg: 'Не е негова' },
  app: { en: 'App that he approves at his store', bg: 'Приложение, което одобрява в магазина си' },
  appNone: { en: 'none in particular', bg: 'без определено' },
  lang: { en: 'Language of his pages', bg: 'Език на страниците му' },
  langs: { en: { '': 'as his browser asks', ...languageNames }, bg: { '': 'според браузъра му', ...languageNames } },
  make: { en: 'Make a link', bg: 'Направи връзка' },
  linkTitle: { en: 'A link for a merchant', bg: 'Връзка за търговец' },
  link: { en: 'Give him this link. It is shown once; its address is the key.', bg: 'Дайте му тази връзка. Показва се веднъж; адресът ѝ е ключът.' },
  linkMailed: {
    en: 'It is being mailed to him. If the mail does not come, give him this link: it is shown once, and its address is the key.',
    bg: 'Изпраща му се по пощата. Ако писмото не дойде, дайте му тази връзка: показва се веднъж, а адресът ѝ е ключът.',
  },
  back: { en: 'To all invitations', bg: 'Към всички покани' },
  list: { en: 'Invitations', bg: 'Покани' },
  none: { en: 'No merchant was invited yet.', bg: 'Още не е канен търговец.' },
  columns: {
    who: { en: 'Merchant', bg: 'Търговец' },
    state: { en: 'State', bg: 'Състояние' },
    steps: { en: 'Done', bg: 'Готово' },
    links: { en: 'Links', bg: 'Връзки' },
    made: { en: 'Made', bg: 'Направена' },
  },
  unnamed: { en: 'without an e-mail', bg: 'без имейл' },
  uninvited: { en: 'came by himself', bg: 'дошъл сам' },
  states: {
    open: { en: 'until', bg: 'до' },
    expired: { en: 'expired', bg: 'изтекла' },
    revoked: { en: 'revoked', bg: 'отменена' },
    started: { en: 'records', bg: 'записва' },
  },
  steps: {
    store: { en: 'store', bg: 'магазин' },
    company: { en: 'company', bg: 'фирма' },
    webhooks: { en: 'notifications', bg: 'известия' },
    mapping: { en: 'VAT and payments', bg: 'ДДС и плащания' },
    trial: { en: 'start', bg: 'начало' },
  },
  nothingDone: { en: 'nothing yet', bg: 'още нищо' },
  scopes: {
    all: { en: 'the whole way', bg: 'целият път' },
    status: { en: 'how the store does', bg: 'как е магазинът' },
    step: { en: 'one step', bg: 'една стъпка' },
  },
  newLink: { en: 'New link', bg: 'Нова връзка' },
  revoke: { en: 'Revoke', bg: 'Отмени' },
  endStatus: { en: 'End the link to its status', bg: 'Край на връзката към състоянието' },
  toStore: { en: 'To the store', bg: 'Към магазина' },
  ofStore: { en: 'Links of its merchant', bg: 'Връзки на търговеца' },
  ofStoreNone: {
    en: 'No link opens anything of this store. “New link” makes one to the page of how it does.',
    bg: 'Никоя връзка не отваря нищо за този магазин. „Нова връзка“ прави една към страницата как е той.',
  },
});
