/** Of the codes: what is wrong with secrets of stores and apps. */
export const secretReasons = {
  'secrets.closed': {
    level: 'failing',
    what: 'secrets',
    means: 'Secrets of a connected store can’t be read or used.',
    bg: 'Тайни на свързан магазин не могат да бъдат прочетени или използвани.',
    isWrong: true,
  },
  'app.closed': {
    level: 'failing',
    what: 'secrets',
    means: 'The secret of an app by which stores are connected can’t be read, so that webhooks signed with it are refused.',
    bg: 'Тайната на приложение, чрез което са свързани магазини, не може да бъде прочетена и подписаните с нея известия се отказват.',
    isWrong: true,
  },
  'app.refused': {
    level: 'attention',
    what: 'secrets',
    means: 'The platform does not take the client id and secret of an app by which stores are connected, so that their APIs can’t be used.',
    bg: 'Платформата не приема идентификатора и тайната на приложение, чрез което са свързани магазини, и техният API не може да бъде ползван.',
    isWrong: true,
  },
} as const;
