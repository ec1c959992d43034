import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** Who may sign in. */
export const people = messages({
  title: { en: 'People', bg: 'Хора' },
  intro: { en: 'Who may sign in here, and what they may do.', bg: 'Кой има достъп и какво може.' },
  columns: {
    person: { en: 'Person', bg: 'Човек' },
    role: { en: 'Role', bg: 'Роля' },
    shops: { en: 'Shops', bg: 'Магазини' },
    seen: { en: 'Last seen', bg: 'Последно' },
    sessions: { en: 'Sessions', bg: 'Сесии' },
    state: { en: 'State', bg: 'Състояние' },
  },
  allShops: { en: 'all', bg: 'всички' },
  someShops: { en: 'only these', bg: 'само тези' },
  unknownShop: { en: (id: string): string => `shop ${id}`, bg: (id: string) => `магазин ${id}` },
  states: {
    disabled: { en: 'access revoked', bg: 'без достъп' },
    linkUntil: { en: 'has a link until', bg: 'има връзка до' },
    noPassword: { en: 'no password, no link', bg: 'без парола и без връзка' },
    active: { en: 'can sign in', bg: 'има достъп' },
    byProvider: { en: (host: string): string => `by ${host}`, bg: (host: string) => `с ${host}` },
  },
  byProviderHint: {
    en: (host: string): string =>
      `They sign in with ${host}, which gives them their role anew each time: change it there. Reset takes this way from them, too, until they come again.`,
    bg: (host: string) =>
      `Влиза с ${host}, откъдето ролята идва наново при всеки вход: променете я там. Нулирането отнема и този начин, докато човекът не влезе отново.`,
  },
  onlyYou: { en: 'You’re the only user. Add someone to cover for you.', bg: 'Само вие имате достъп. Добавете някого, който да ви замества.' },
  roleMeans: {
    owner: { en: 'everything, people and stores too', bg: 'всичко, включително хора и магазини' },
    operator: { en: 'sees buyers; releases, resolves, changes settings', bg: 'вижда купувачите; решава какво е за проверка, променя настройки' },
    accountant: { en: 'months and files; no buyers; of all shops or of some', bg: 'месеци и файлове; без купувачи; за всички магазини или за някои' },
    viewer: { en: 'sees orders and months; no buyers, changes nothing', bg: 'вижда поръчки и месеци; без купувачи, не променя нищо' },
  },
  add: { en: 'Add a person', bg: 'Добавяне на човек' },
  addHint: { en: 'They get a link by which they choose a password.', bg: 'Получава връзка, с която избира парола.' },
  addHintMail: {
    en: 'A link by which they choose a password is mailed to them, and shown to you.',
    bg: 'Връзката, с която избира парола, отива на имейла и се показва на вас.',
  },
  addVerb: { en: 'Add', bg: 'Добави' },
  email: { en: 'E-mail', bg: 'Имейл' },
  emailWrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
  emailTaken: { en: 'Somebody has this address already.', bg: 'Вече има човек с този адрес.' },
  name: { en: 'Name', bg: 'Име' },
  role: { en: 'Role', bg: 'Роля' },
  language: { en: 'Language', bg: 'Език' },
  shops: { en: 'Shops that an accountant sees', bg: 'Магазини, които счетоводителят вижда' },
  shopsNone: { en: 'No shop is known yet.', bg: 'Още не е известен нито един магазин.' },
  shopsMissing: { en: 'Choose at least one shop, or all.', bg: 'Изберете поне един магазин или всички.' },
  shopsOnlyAccountant: { en: 'Only accountants can be limited to shops.', bg: 'Само счетоводители могат да бъдат ограничени до магазини.' },
  linkTitle: { en: (name: string): string => `A link for ${name}`, bg: (name: string) => `Връзка за ${name}` },
  link: {
    en: 'Give them this link. It is shown once, works once, within 3 days.',
    bg: 'Дайте тази връзка на човека. Тя се показва веднъж и важи еднократно, до 3 дни.',
  },
  linkMailed: {
    en: 'It was mailed to them. If the mail does not come, give them this link: it is shown once, works once, within 3 days.',
    bg: 'Изпратена е по имейл. Ако писмото не дойде, дайте на човека тази връзка: показва се веднъж и важи еднократно, до 3 дни.',
  },
  back: { en: 'To all people', bg: 'Към всички хора' },
  save: { en: 'Save', bg: 'Запази' },
  change: { en: 'What they may do', bg: 'Какво може' },
  reset: { en: 'New password', bg: 'Нова парола' },
  resetHint: {
    en: 'Their password and sessions end; you get a link by which they choose another.',
    bg: 'Паролата и сесиите приключват; получавате връзка, с която човекът избира нова парола.',
  },
  resetVerb: { en: 'Reset the password', bg: 'Нулирай паролата' },
  factorOn: { en: 'set up', bg: 'настроена' },
  factorOff: { en: 'not set up', bg: 'не е настроена' },
  resetFactor: { en: 'Reset the second step', bg: 'Нулирай втората стъпка' },
  resetFactorHint: {
    en: 'For somebody who lost phone and recovery codes: they sign in without the second step, and their sessions end. Make sure that it is really them asking. Owners are mailed.',
    bg: 'За човек, който е загубил и телефона, и резервните кодове: влиза без втора стъпка, а сесиите му приключват. Уверете се, че наистина той го иска. Собствениците получават писмо.',
  },
  resetSelf: { en: 'You change your own password on your account page.', bg: 'Собствената си парола сменяте в профила си.' },
  toAccount: { en: 'Your account', bg: 'Вашият профил' },
  disable: { en: 'Revoke access', bg: 'Спри достъпа' },
  disableHint: {
    en: 'They can no longer sign in, and their sessions end. What they did stays in Activity.',
    bg: 'Човекът вече не може да влезе и сесиите му приключват. Действията му остават записани.',
  },
  disableVerb: { en: 'Revoke access', bg: 'Спри достъпа' },
  enableHint: { en: 'They may sign in again.', bg: 'Човекът отново може да влиза.' },
  enableVerb: { en: 'Restore access', bg: 'Върни достъпа' },
  sessions: {
    en: (count: number): string => counted.en(count, 'session', 'sessions'),
    bg: (count: number) => counted.bg(count, 'сесия', 'сесии'),
  },
  endHint: { en: 'They are signed out everywhere, and may sign in again.', bg: 'Излиза отвсякъде и може да влезе отново.' },
  endVerb: { en: 'End all sessions', bg: 'Прекрати всички сесии' },
});
