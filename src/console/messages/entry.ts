import { type InBoth, languageNames, messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';

/** How people come in: signing in, setting up, links. */
export const entry = messages({
  email: { en: 'E-mail', bg: 'Имейл' },
  password: { en: 'Password', bg: 'Парола' },
  name: { en: 'Name', bg: 'Име' },
  nameHint: { en: 'As others see it beside what you do.', bg: 'Както другите го виждат до това, което правите.' },
  language: { en: 'Language', bg: 'Език' },
  languages: { en: languageNames, bg: languageNames },
  signIn: {
    title: { en: 'Sign in', bg: 'Вход' },
    verb: { en: 'Sign in', bg: 'Вход' },
    mail: { en: 'Mail me a link instead', bg: 'Изпратете ми връзка по имейл' },
    mailHint: {
      en: 'The link signs you in once, within 15 minutes, without a password.',
      bg: 'Връзката ви вписва веднъж, в рамките на 15 минути, без парола.',
    },
    wrong: {
      en: 'E-mail or password is not right. If you forgot the password, an owner can give you a link to choose another.',
      bg: 'Имейлът или паролата не са верни. Ако сте забравили паролата, собственик може да ви даде връзка, с която да изберете нова.',
    },
    wait: {
      en: (seconds: number): string => `Too many tries. Try again in ${counted.en(seconds, 'second', 'seconds')}.`,
      bg: (seconds: number) => `Твърде много опити. Опитайте отново след ${counted.bg(seconds, 'секунда', 'секунди')}.`,
    },
    busy: {
      en: 'Too many people sign in at this moment. Try again in a few seconds.',
      bg: 'В момента влизат твърде много хора. Опитайте отново след няколко секунди.',
    },
    demo: { en: 'Sign in as the demo’s owner', bg: 'Вход като собственик на демото' },
    missing: { en: 'Type your e-mail address.', bg: 'Въведете имейла си.' },
    nobody: {
      en: 'Nobody can sign in here yet. `orderbridge start` prints the address for the set-up on its terminal; elsewhere `orderbridge people add --role owner EMAIL` prints a link.',
      bg: 'Тук още никой не може да влезе. `orderbridge start` показва в терминала си адрес за първото посещение; другаде връзка дава `orderbridge people add --role owner EMAIL`.',
    },
  },
  oidc: {
    verb: { en: (host: string): string => `Sign in with ${host}`, bg: (host: string) => `Вход с ${host}` },
    or: { en: 'Or with e-mail and password', bg: 'Или с имейл и парола' },
    title: { en: 'You are not signed in', bg: 'Не сте влезли' },
    again: { en: 'Try again', bg: 'Опитай отново' },
    back: { en: 'Sign in with a password', bg: 'Вход с парола' },
    because: {
      away: {
        en: (host: string): string => `${host} does not answer. Try again in a minute. Anyone who has a password here can sign in with it meanwhile.`,
        bg: (host: string) => `${host} не отговаря. Опитайте отново след минута. Който има парола тук, може междувременно да влезе с нея.`,
      },
      denied: {
        en: (host: string): string =>
          `${host} let nobody in: it was declined there, or you may not use orderbridge there. Ask the person who looks after your accounts.`,
        bg: (host: string) =>
          `${host} не ви допусна: отказано е там или нямате право да ползвате orderbridge. Обърнете се към този, който поддържа профилите ви.`,
      },
      refused: {
        en: (host: string): string =>
          `What ${host} sent does not fit: the sign-in took longer than 10 minutes, was begun in another tab, or was used already. Begin again. If it happens again, the log says why.`,
        bg: (host: string) =>
          `Изпратеното от ${host} не съвпада: входът е отнел повече от 10 минути, започнат е в друг раздел или вече е използван. Започнете отново. Ако се повтори, причината е в дневника.`,
      },
      'no-role': {
        en: (host: string): string =>
          `${host} knows you, but nothing it says of you gives you a role here. Ask the person who looks after your accounts for a group that OIDC_ROLES names.`,
        bg: (host: string) =>
          `${host} ви познава, но нищо от това, което казва за вас, не ви дава роля тук. Поискайте от този, който поддържа профилите ви, група, посочена в OIDC_ROLES.`,
      },
      disabled: {
        en: (): string => 'Your access was revoked. An owner can restore it on the People page.',
        bg: () => 'Достъпът ви е спрян. Собственик може да го върне от страницата „Хора“.',
      },
      taken: {
        en: (host: string): string =>
          `Somebody with your e-mail address already signs in here in another way: use that. To use ${host} from now on, ask an owner to reset that person’s password on the People page; then sign in here without choosing a new one.`,
        bg: (host: string) =>
          `Човек с вашия имейл вече влиза тук по друг начин. Влезте така. Ако искате занапред да влизате с ${host}, собственик отнема паролата на този човек от страницата „Хора“; след това влезте оттук отново, без да избирате парола.`,
      },
    } satisfies Readonly<Record<string, InBoth<(host: string) => string>>>,
  },
  mailed: {
    title: { en: 'Check your mailbox', bg: 'Погледнете пощата си' },
    body: {
      en: 'If somebody with this address may sign in here, a link is on its way. It works once, for 15 minutes.',
      bg: 'Ако човек с този имейл има достъп, връзката вече пътува към него. Тя важи еднократно, 15 минути.',
    },
    again: { en: 'Back to the sign-in', bg: 'Обратно към входа' },
  },
  enter: {
    title: { en: 'Sign in by your link', bg: 'Вход с връзка' },
    body: {
      en: (name: string): string => `This signs you in as ${name}. The link works once.`,
      bg: (name: string) => `Ще влезете като ${name}. Връзката важи еднократно.`,
    },
    verb: { en: 'Sign in', bg: 'Вход' },
  },
  choose: {
    title: { en: 'Choose your password', bg: 'Изберете парола' },
    body: {
      en: 'You’ll use it to sign in from now on, and you’ll be signed out elsewhere.',
      bg: 'Оттук нататък влизате с нея. Където и да сте влезли сега, сесията приключва.',
    },
    verb: { en: 'Save and sign in', bg: 'Запази и влез' },
  },
  setUp: {
    title: { en: 'Set up orderbridge', bg: 'Първо посещение' },
    body: {
      en: 'You’ll be the owner: you connect stores and invite others. None of this leaves this machine.',
      bg: 'Ще сте собственикът: свързвате магазини и давате достъп на другите. Нищо от това не напуска тази машина.',
    },
    verb: { en: 'Begin', bg: 'Започни' },
    emailWrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
  },
  passwordHint: {
    en: 'At least 12 characters; a few words are easier to remember than symbols. We refuse common passwords, and those that are only your name, address or this site’s name.',
    bg: 'Поне 12 знака; няколко думи се помнят по-лесно от символи. Често срещани пароли, както и само вашето име, имейл или името на този сайт, не се приемат.',
  },
  passwordProblems: {
    short: { en: 'It is too short: at least 12 characters.', bg: 'Твърде къса е: поне 12 знака.' },
    long: { en: 'It is too long: at most 200 characters.', bg: 'Твърде дълга е: най-много 200 знака.' },
    known: {
      en: 'It is too easy to guess: your name, your address, this site’s name, a word such as “password”, or the same sign again and again.',
      bg: 'Твърде лесно се отгатва: вашето име, вашият адрес, името на този сайт, дума като „парола“ или все един и същ знак.',
    },
    common: {
      en: 'It is among the 10,000 most common passwords, which are tried first. Choose another.',
      bg: 'Тя е сред 10 000-те най-чести пароли, които се опитват първи. Изберете друга.',
    },
  },
  over: {
    title: { en: 'This link no longer works', bg: 'Тази връзка вече не работи' },
    setup: {
      en: 'It works once, for an hour, and only as long as nobody can sign in here. Start orderbridge again for a new one; if you are somebody here already, sign in.',
      bg: 'Тя важи еднократно, един час, и само докато никой няма достъп. Стартирайте orderbridge отново, за да получите нова; ако вече имате достъп, влезте.',
    },
    password: {
      en: 'It works once, for 3 days, and a newer one takes its place. Ask an owner for another.',
      bg: 'Тя важи еднократно, 3 дни, и по-новата я заменя. Поискайте друга от собственик.',
    },
    signIn: {
      en: 'It works once, for 15 minutes. Ask for another where you sign in.',
      bg: 'Тя важи еднократно, 15 минути. Поискайте друга от страницата за вход.',
    },
    toSignIn: { en: 'To the sign-in', bg: 'Към входа' },
  },
  mail: {
    signIn: {
      subject: { en: 'orderbridge: your link to sign in', bg: 'orderbridge: връзка за вход' },
      text: {
        en: (url: string): string =>
          `This link signs you in to orderbridge. It works once, for 15 minutes:\n\n${url}\n\nIf you did not ask for it, do nothing: without the link nobody comes in.\n`,
        bg: (url: string) =>
          `Тази връзка ви вписва в orderbridge. Тя важи еднократно, 15 минути:\n\n${url}\n\nАко не сте я поискали, не правете нищо: без връзката никой не може да влезе.\n`,
      },
    },
    added: {
      subject: { en: 'orderbridge: choose your password', bg: 'orderbridge: изберете парола' },
      text: {
        en: (url: string): string =>
          `You may sign in to orderbridge. Choose your password here, within 3 days:\n\n${url}\n\nThe link works once. Give it to nobody.\n`,
        bg: (url: string) => `Имате достъп до orderbridge. Изберете парола тук, до 3 дни:\n\n${url}\n\nВръзката важи еднократно. Не я давайте на никого.\n`,
      },
    },
  },
});
