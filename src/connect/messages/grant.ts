import { messages } from '../../contract/messages.ts';

/** The way by which a merchant approves an app at their store, without a link or back from there. `title`: the platform, as its makers write it. */
export const grant = messages({
  title: { en: (title: string): string => `Connect your ${title} store`, bg: (title: string) => `Свържете магазина си в ${title}` },
  intro: {
    en: 'Type the address of your store. Then it asks you whether our app may read its orders; nothing is recorded before you have seen how.',
    bg: 'Напишете адреса на магазина си. След това той ще ви попита дали нашето приложение може да чете поръчките му; нищо не се отчита, преди да сте видели как.',
  },
  label: { en: 'Address of the store', bg: 'Адрес на магазина' },
  verb: { en: 'Look at the store', bg: 'Прегледай магазина' },
  found: { en: (host: string): string => `We found ${host}`, bg: (host: string) => `Намерихме ${host}` },
  foundBody: {
    en: 'Now your store asks you whether our app may read its orders. Sign in there if it wants that, and approve it. Then you are back here, and say whose sales these are.',
    bg: 'Сега магазинът ще ви попита дали нашето приложение може да чете поръчките му. Влезте в профила си, ако поиска, и го одобрете. После се връщате тук и казвате чии са продажбите.',
  },
  other: { en: 'Choose another store', bg: 'Изберете друг магазин' },
  again: { en: 'Begin again', bg: 'Започнете отново' },
  noAppTitle: { en: 'This link leads to no app', bg: 'Тази връзка не води до приложение' },
  noApp: {
    en: 'The app that it names is not known here, or the link is not whole. Open it again as you were sent it.',
    bg: 'Приложението, което посочва, не е познато тук или връзката не е цяла. Отворете я отново така, както ви е изпратена.',
  },
  unsignedTitle: { en: 'This link can’t be checked', bg: 'Тази връзка не може да бъде проверена' },
  unsigned: {
    en: (title: string): string => `It is not signed by ${title} for an app of this server. Open the app again from the administration of your store.`,
    bg: (title: string) => `Не е подписана от ${title} за приложение на този сървър. Отворете приложението отново от администрацията на магазина си.`,
  },
  staleTitle: { en: 'This link is too old', bg: 'Тази връзка е твърде стара' },
  stale: {
    en: 'It is good for a minute and a half. Open the app again from the administration of your store.',
    bg: 'Важи минута и половина. Отворете приложението отново от администрацията на магазина си.',
  },
  unknownTitle: { en: 'This approval can’t be used', bg: 'Това одобрение не може да се използва' },
  unknown: {
    en: 'It was used already, took longer than 15 minutes, or was begun in another browser. Nothing was changed. Begin again where you began.',
    bg: 'Вече е използвано, отнело е повече от 15 минути или е започнато в друг браузър. Нищо не беше променено. Започнете отново оттам, откъдето започнахте.',
  },
  distrustedTitle: { en: 'This answer can’t be checked', bg: 'Този отговор не може да бъде проверен' },
  distrusted: {
    en: 'It is not signed as your store signs, or is of another store. Nothing was changed. Begin again where you began.',
    bg: 'Не е подписан, както подписва магазинът ви, или е от друг магазин. Нищо не беше променено. Започнете отново оттам, откъдето започнахте.',
  },
  deniedTitle: { en: 'You did not approve the app', bg: 'Не одобрихте приложението' },
  denied: { en: 'Nothing was changed. You can approve it later.', bg: 'Нищо не беше променено. Можете да го одобрите по-късно.' },
  refusedTitle: { en: 'The store did not let the app in', bg: 'Магазинът не допусна приложението' },
  refusedNow: {
    en: 'It did not answer as it should. Nothing was changed. Wait a minute, and begin again.',
    bg: 'Той не отговори както трябва. Нищо не беше променено. Изчакайте минута и започнете отново.',
  },
  refused: {
    en: (why: string): string => `Nothing was changed. Begin again; if this comes once more, send it to the person who sent you the link: “${why}”.`,
    bg: (why: string) => `Нищо не беше променено. Започнете отново; ако това се повтори, изпратете го на този, който ви изпрати връзката: „${why}“.`,
  },
  takenTitle: { en: (store: string): string => `${store} is connected already`, bg: (store: string) => `${store} вече е свързан` },
  taken: {
    en: 'It was connected by another invitation than yours. Ask the person who sent you the link.',
    bg: 'Свързан е по друга покана, не по вашата. Обърнете се към този, който ви изпрати връзката.',
  },
  connectedTitle: { en: (store: string): string => `${store} is connected`, bg: (store: string) => `${store} е свързан` },
  connected: {
    en: 'The app may read its orders. Nothing is left to do here.',
    bg: 'Приложението може да чете поръчките му. Тук няма какво повече да се прави.',
  },
  noPublicUrlTitle: { en: 'Stores can’t come back here yet', bg: 'Магазините още не могат да се върнат тук' },
  noPublicUrl: {
    en: 'This server has no address on the internet yet (PUBLIC_URL), so no store can come back to it. Tell the person who runs it.',
    bg: 'Този сървър още няма адрес в интернет (PUBLIC_URL), затова никой магазин не може да се върне при него. Кажете на този, който го поддържа.',
  },
  slow: {
    en: 'Somebody at your address has begun many times. Try again in a minute.',
    bg: 'От вашия адрес е започвано много пъти. Опитайте отново след минута.',
  },
});
