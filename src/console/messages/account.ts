import { messages } from '../../contract/messages.ts';

/** Who is signed in, about themselves. */
export const account = messages({
  title: { en: 'Your account', bg: 'Вашият профил' },
  about: { en: 'About you', bg: 'За вас' },
  save: { en: 'Save', bg: 'Запази' },
  role: { en: 'Role', bg: 'Роля' },
  roleHint: { en: 'An owner can change it.', bg: 'Променя я собственик.' },
  password: { en: 'Password', bg: 'Парола' },
  old: { en: 'Current password', bg: 'Сегашна парола' },
  chosen: { en: 'New password', bg: 'Нова парола' },
  change: { en: 'Change the password', bg: 'Смени паролата' },
  byProvider: {
    en: (issuer: string): string => `You sign in with ${issuer}, so you have no password here.`,
    bg: (issuer: string) => `Влизате чрез ${issuer}, затова тук нямате парола.`,
  },
  changeHint: { en: 'Your other sessions end.', bg: 'Другите ви сесии приключват.' },
  oldWrong: { en: 'This is not your password.', bg: 'Това не е вашата парола.' },
  sessions: { en: 'Where you are signed in', bg: 'Къде сте влезли' },
  columns: {
    where: { en: 'Browser', bg: 'Браузър' },
    way: { en: 'By', bg: 'С' },
    since: { en: 'Since', bg: 'От' },
    seen: { en: 'Last seen', bg: 'Последно' },
  },
  here: { en: 'here', bg: 'тук' },
  end: { en: 'End', bg: 'Прекрати' },
  endOthers: { en: 'End all others', bg: 'Прекрати всички други' },
  onlyHere: { en: 'You are signed in nowhere else.', bg: 'Не сте влезли никъде другаде.' },
  ways: {
    password: { en: 'password', bg: 'парола' },
    link: { en: 'mailed link', bg: 'връзка по имейл' },
    oidc: { en: 'single sign-on', bg: 'единен вход' },
    demo: { en: 'demo', bg: 'демо' },
  },
  unknownBrowser: { en: 'unknown program', bg: 'непозната програма' },
  on: { en: (browser: string, system: string): string => `${browser} on ${system}`, bg: (browser: string, system: string) => `${browser} на ${system}` },
});
