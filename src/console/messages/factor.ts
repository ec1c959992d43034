import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** The second step of a sign-in: a code of an app, and being asked again. */
export const factor = messages({
  title: { en: 'Second step', bg: 'Втора стъпка при входа' },
  set: {
    en: 'After your password or mailed link you enter a code from an app on your phone.',
    bg: 'След паролата или връзката от имейла въвеждате код от приложение в телефона си.',
  },
  unset: {
    en: 'Anyone who learns your password, or reads your mail, can sign in as you. A code that an app on your phone makes prevents that.',
    bg: 'Който научи паролата ви или чете пощата ви, може да влезе от ваше име. Код от приложение в телефона ви пречи на това.',
  },
  left: {
    en: (count: number): string => `${counted.en(count, 'recovery code is', 'recovery codes are')} left.`,
    bg: (count: number) => `Остават ${counted.bg(count, 'резервен код', 'резервни кода')}.`,
  },
  setUp: { en: 'Set up the second step', bg: 'Настрой втората стъпка' },
  setUpAnew: { en: 'Set it up on another phone', bg: 'Настрой друг телефон' },
  newCodes: { en: 'New recovery codes', bg: 'Нови резервни кодове' },
  end: { en: 'Turn it off', bg: 'Изключи' },
  byProvider: { en: 'Your identity provider asks for it, if it is set up there.', bg: 'Изисква я доставчикът ви на самоличност, ако е настроена там.' },
  enrol: {
    intro: {
      en: 'Scan this with an app that makes codes, such as Aegis, Google Authenticator, Microsoft Authenticator, 1Password or Bitwarden. Then type the code that it shows.',
      bg: 'Сканирайте това с приложение за кодове, например Aegis, Google Authenticator, Microsoft Authenticator, 1Password или Bitwarden. След това въведете кода, който то покаже.',
    },
    due: {
      en: 'Your role needs a second step from now on. Set it up to go on.',
      bg: 'За вашата роля вече е нужна втора стъпка. Настройте я, за да продължите.',
    },
    qr: { en: 'QR code for the app', bg: 'QR код за приложението' },
    secret: { en: 'Or type this key into the app', bg: 'Или въведете този ключ в приложението' },
    others: { en: 'Your other sessions end.', bg: 'Другите ви сесии приключват.' },
    verb: { en: 'Turn it on', bg: 'Включи' },
    over: {
      en: 'This form is no longer valid, because your access was changed meanwhile. Scan the new code.',
      bg: 'Формулярът вече не важи, защото достъпът ви е променен междувременно. Сканирайте новия код.',
    },
  },
  codes: {
    title: { en: 'Your recovery codes', bg: 'Вашите резервни кодове' },
    body: {
      en: 'Keep these where you can reach them without your phone. Each replaces one code, once. They are shown only now; earlier codes no longer work.',
      bg: 'Запазете ги там, където ще ги намерите и без телефона. Всеки заменя кода веднъж. Показват се само сега; предишните вече не важат.',
    },
    goOn: { en: 'I saved them: go on', bg: 'Запазих ги: продължи' },
  },
  passkeys: {
    title: { en: 'Passkeys', bg: 'Ключове за достъп' },
    hint: {
      en: (host: string): string =>
        `A key in your phone, computer or security key replaces the code, at ${host} and in browsers with script. Your app keeps working.`,
      bg: (host: string) =>
        `Ключ в телефона, компютъра ви или на отделно устройство замества кода, на адрес ${host} и в браузър със скриптове. Приложението ви продължава да работи.`,
    },
    name: { en: 'Name of the passkey', bg: 'Име на ключа' },
    added: { en: 'Added', bg: 'Добавен' },
    used: { en: 'Last used', bg: 'Последно използван' },
    add: { en: 'Add a passkey', bg: 'Добави ключ' },
    remove: { en: 'Remove', bg: 'Премахни' },
    use: { en: 'Use a passkey', bg: 'С ключ за достъп' },
    failed: { en: 'The browser gave no passkey. Try again, or use a code.', bg: 'Браузърът не даде ключ за достъп. Опитайте пак или използвайте код.' },
    notAdded: {
      en: 'The passkey was not added: the page was too old, or the key is here already. Try again.',
      bg: 'Ключът не е добавен: страницата е остаряла или ключът вече е тук. Опитайте пак.',
    },
  },
  code: { en: 'Code', bg: 'Код' },
  firstCodeHint: { en: 'Six digits, a new code every 30 seconds.', bg: 'Шест цифри, нов код на всеки 30 секунди.' },
  codeHint: {
    en: 'The six digits that your app shows, or a recovery code.',
    bg: 'Шестте цифри от приложението ви или резервен код.',
  },
  wrong: {
    en: 'This code or passkey is not right, or was used already. Wait for the next code; if none is right, compare the clock of your phone.',
    bg: 'Кодът или ключът за достъп не е верен или вече е използван. Изчакайте следващия код; ако и той не е верен, сверете часовника на телефона.',
  },
  signIn: {
    verb: { en: 'Sign in', bg: 'Вход' },
    lost: {
      en: 'If you lost your phone and recovery codes, an owner can reset your second step (People), or anyone who may run `orderbridge people reset-factor` on the machine.',
      bg: 'Ако нямате нито телефона, нито резервните кодове, собственик може да нулира втората стъпка (Хора) или това става на самата машина с `orderbridge people reset-factor`.',
    },
    over: {
      en: 'The first part of your sign-in is too old, was used, or your access was changed meanwhile. Begin again.',
      bg: 'Първата част от входа е остаряла, вече е използвана или достъпът ви е променен междувременно. Започнете отново.',
    },
  },
  again: {
    title: { en: 'Is it you?', bg: 'Вие ли сте?' },
    body: {
      en: 'This changes access, keys or stores. Confirm that it is you; then it is done as you sent it. For ten minutes you are not asked again.',
      bg: 'Това променя достъп или ключове, или изключва магазин. Потвърдете, че сте вие; след това се изпълнява така, както сте го изпратили. Десет минути няма да ви питаме отново.',
    },
    verb: { en: 'Confirm and go on', bg: 'Потвърди и продължи' },
    goOn: { en: 'Go on', bg: 'Продължи' },
    provider: {
      en: (host: string): string => `First sign in anew with ${host}, in another tab`,
      bg: (host: string) => `Първо влезте отново чрез ${host}, в друг раздел`,
    },
    mailed: {
      en: 'A link is on its way to your mailbox. Sign in with it in this browser, in another tab; then go on here.',
      bg: 'Връзката пътува към пощата ви. Влезте с нея в този браузър, в друг раздел; след това продължете тук.',
    },
    none: {
      en: 'Choose a password first (Your account), then go on here.',
      bg: 'Първо изберете парола („Вашият профил“), след това продължете тук.',
    },
  },
  banner: {
    en: (day: string): string => `From ${day} on you can sign in only with a second step.`,
    bg: (day: string) => `След ${day} ще влизате само с втора стъпка.`,
  },
  bannerDue: { en: 'Your next sign-in asks you to set up a second step.', bg: 'При следващия вход ще трябва да настроите втора стъпка.' },
});
