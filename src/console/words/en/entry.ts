/** How people come in: signing in, the first context, links. */
export const entry = {
  email: 'E-mail',
  password: 'Password',
  name: 'Name',
  nameHint: 'As others see it beside what you do.',
  language: 'Language',
  languages: { en: 'English', bg: 'Български' },
  signIn: {
    title: 'Sign in',
    verb: 'Sign in',
    mail: 'Mail me a link instead',
    mailHint: 'The link signs you in once, within 15 minutes, without a password.',
    wrong: 'E-mail or password is not right. If you forgot the password, an owner can give you a link to choose another.',
    wait: (seconds: number): string => `Too many tries. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    busy: 'Too many people sign in at this moment. Try again in a few seconds.',
    missing: 'Type your e-mail address.',
    nobody:
      'Nobody can sign in here yet. `orderbridge start` prints an address for the first context on its terminal; elsewhere `orderbridge people add --role owner EMAIL` prints a link.',
  },
  oidc: {
    verb: (host: string): string => `Sign in with ${host}`,
    or: 'Or with e-mail and password',
    title: 'You are not signed in',
    again: 'Try again',
    back: 'Sign in with a password',
    because: {
      away: (host: string): string => `${host} does not answer. Try again in a minute. Whoever has a password here can sign in with it meanwhile.`,
      denied: (host: string): string =>
        `${host} let nobody in: it was declined there, or you may not use orderbridge there. Ask whoever looks after your accounts.`,
      refused: (host: string): string =>
        `What ${host} sent does not fit: the sign-in took longer than 10 minutes, was begun in another tab, or was used already. Begin again. If it happens again, the log says why.`,
      'no-role': (host: string): string =>
        `${host} knows you, but nothing it says of you gives you a role here. Ask whoever looks after your accounts for a group that OIDC_ROLES names.`,
      disabled: (): string => 'You are shut out here. An owner can let you in again on the page People.',
      taken: (host: string): string =>
        `Somebody with your e-mail address signs in here in another way. Sign in so. If you want to come by ${host} from now on, an owner resets that person on the page People; then sign in here again, without choosing a password.`,
    } satisfies Record<string, (host: string) => string>,
  },
  mailed: {
    title: 'Look into your mailbox',
    body: 'If somebody with this address may sign in here, a link is on its way. It works once, for 15 minutes.',
    again: 'Back to the sign-in',
  },
  enter: {
    title: 'Sign in by your link',
    body: (name: string): string => `This signs you in as ${name}. The link works once.`,
    verb: 'Sign in',
  },
  choose: {
    title: 'Choose your password',
    body: 'With it you sign in from now on. Wherever you are signed in, that ends.',
    verb: 'Keep it and sign in',
  },
  setUp: {
    title: 'First context',
    body: 'You become the owner: who connects stores, and lets others in. Nothing of this leaves this machine.',
    verb: 'Begin',
    emailWrong: 'This is not an e-mail address.',
  },
  passwordHint: 'At least 12 characters; a few words are easier to keep than signs.',
  passwordProblems: {
    short: 'It is too short: at least 12 characters.',
    long: 'It is too long: at most 200 characters.',
    known: 'It is too easy to guess: your name, your address, or the same sign again and again.',
  },
  over: {
    title: 'This link does not work any more',
    setup:
      'It works once, for an hour, and only as long as nobody can sign in here. Start orderbridge again for a new one; if you are somebody here already, sign in.',
    password: 'It works once, for 3 days, and a newer one takes its place. Ask an owner for another.',
    signIn: 'It works once, for 15 minutes. Ask for another where you sign in.',
    toSignIn: 'To the sign-in',
  },
  mail: {
    signIn: {
      subject: 'orderbridge: your link to sign in',
      text: (url: string): string =>
        `This link signs you in to orderbridge. It works once, for 15 minutes:\n\n${url}\n\nIf you did not ask for it, do nothing: without the link nobody comes in.\n`,
    },
    added: {
      subject: 'orderbridge: choose your password',
      text: (url: string): string =>
        `You may sign in to orderbridge. Choose your password here, within 3 days:\n\n${url}\n\nThe link works once. Give it to nobody.\n`,
    },
    passwordSet: {
      subject: 'orderbridge: your password was set',
      text: (url: string): string =>
        `A password was set for you at ${url}. Everybody who was signed in as you elsewhere is signed out.\n\nIf it was not you, ask an owner to reset your access at once.\n`,
    },
  },
};
