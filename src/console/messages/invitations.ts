import { messages } from '../../contract/messages.ts';
import { languageNames } from '../../contract/said.ts';

/** Links by which merchants connect their stores. */
export const invitations = messages({
  title: { en: 'Invite a merchant', bg: 'Покана на търговец' },
  intro: {
    en: 'A merchant who has a link connects one store, sees how their own orders would be recorded, and starts. They can stop and come back for 14 days.',
    bg: 'Търговец, който има връзка, свързва един магазин, вижда как биха се записали собствените му поръчки и започва. 14 дни може да спира и да се връща.',
  },
  email: { en: 'Their e-mail', bg: 'Имейл на търговеца' },
  emailHint: {
    en: 'Where they are mailed later what only they can do. It may be empty; then give them links yourself.',
    bg: 'Тук по-късно получава това, което само той може да направи. Може да е празно; тогава му давайте връзките сами.',
  },
  emailHintMail: {
    en: 'The link is mailed there, and later what only they can do. It may be empty; then give them links yourself.',
    bg: 'Тук се изпраща връзката, а по-късно и това, което само той може да направи. Може да е празно; тогава му давайте връзките сами.',
  },
  emailWrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
  shop: { en: 'Their shop at the compliance service', bg: 'Обектът му в услугата за отчитане' },
  shopNew: { en: 'they make one', bg: 'ще създаде свой' },
  company: { en: 'Their company (ЕИК)', bg: 'Фирмата му (ЕИК)' },
  companyHint: {
    en: 'Of which they make a shop. It may be empty; then they name it, and their mailbox or you confirm it.',
    bg: 'За нея създава обект. Може да е празно; тогава той я посочва, а пощата му или вие я потвърждавате.',
  },
  companyWrong: { en: 'This is not a ЕИК.', bg: 'Това не е ЕИК.' },
  waits: {
    en: (company: string, name: string): string => `says that the company ${company}${name === '' ? '' : ` (${name})`} is theirs`,
    bg: (company: string, name: string) => `казва, че фирмата ${company}${name === '' ? '' : ` (${name})`} е негова`,
  },
  others: {
    en: (names: string): string => `It is already of: ${names}. Who is confirmed, too, gets document numbers of the same sequence.`,
    bg: (names: string) => `Вече е на: ${names}. Който бъде потвърден и той, получава номера на документи от същата поредица.`,
  },
  confirm: { en: 'It is theirs', bg: 'Негова е' },
  refuse: { en: 'It is not theirs', bg: 'Не е негова' },
  app: { en: 'App that they approve at their store', bg: 'Приложение, което одобрява в магазина си' },
  appNone: { en: 'none in particular', bg: 'без определено' },
  lang: { en: 'Language of their pages', bg: 'Език на страниците му' },
  langs: { en: { '': 'as their browser asks', ...languageNames }, bg: { '': 'според браузъра му', ...languageNames } },
  make: { en: 'Make a link', bg: 'Направи връзка' },
  linkTitle: { en: 'A link for a merchant', bg: 'Връзка за търговец' },
  link: { en: 'Give them this link. It is shown once; its address is the key.', bg: 'Дайте му тази връзка. Показва се веднъж; адресът ѝ е ключът.' },
  linkMailed: {
    en: 'It is being mailed to them. If the mail does not come, give them this link: it is shown once, and its address is the key.',
    bg: 'Изпраща му се по пощата. Ако писмото не дойде, дайте му тази връзка: показва се веднъж, а адресът ѝ е ключът.',
  },
  back: { en: 'To all invitations', bg: 'Към всички покани' },
  list: { en: 'Invitations', bg: 'Покани' },
  none: {
    en: 'No merchant was invited yet. Each will be here with how far they are, and with their links.',
    bg: 'Още не е канен търговец. Тук ще виждате докъде е стигнал всеки и връзките му.',
  },
  noneSo: { en: 'No invitation is like this.', bg: 'Няма такава покана.' },
  noneFurther: { en: 'There are no more invitations.', bg: 'Няма повече покани.' },
  filters: {
    open: { en: 'Open', bg: 'В ход' },
    expired: { en: 'Expired', bg: 'Изтекли' },
    revoked: { en: 'Revoked', bg: 'Отменени' },
    started: { en: 'Recording', bg: 'Записват' },
  },
  columns: {
    who: { en: 'Merchant', bg: 'Търговец' },
    state: { en: 'State', bg: 'Състояние' },
    steps: { en: 'Done', bg: 'Готово' },
    links: { en: 'Links', bg: 'Връзки' },
    made: { en: 'Made', bg: 'Направена' },
  },
  unnamed: { en: 'without an e-mail', bg: 'без имейл' },
  uninvited: { en: 'came by themselves', bg: 'дошъл сам' },
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
