/**
 * `what`: the subject in a word or two, for `doctor`. `means`: for those who may see no names, too; `bg`: the same in Bulgarian. `isWrong`: of attention, that something does not
 * work; absent, it only waits for a person, or is worth knowing.
 */
type Entry = { level: 'failing' | 'attention'; what: string; means: string; bg: string; isWrong?: true };

/** Whose a company is, and its document numbers: a part of `checkCodes`. */
const companyChecks = {
  'company.unconfirmed': {
    level: 'attention',
    what: 'companies',
    means: 'A merchant waits until you say whether the company that they named is theirs.',
    bg: 'Търговец чака да кажете дали посочената от него фирма е негова.',
  },
  'numbers.skipped': {
    level: 'attention',
    what: 'companies',
    means: 'Document numbers of a company were skipped in the last seven days.',
    bg: 'През последните седем дни са пропуснати номера на документи на фирма.',
  },
} as const;

/** Of the codes: what is wrong with secrets of stores and apps. */
const secretChecks = {
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

/**
 * Everything that the health status can name, as one code in one table: what it means, for status, docs, the label of a gauge, and alerts. The level is the
 * worst that a failed check of this code has.
 */
export const checkCodes = {
  'database.down': {
    level: 'failing',
    what: 'database',
    means: 'The database does not answer: nothing can be recorded.',
    bg: 'Базата данни не отговаря: нищо не може да бъде записано.',
  },
  'check.failed': {
    level: 'failing',
    what: 'check',
    means: 'Something could not be checked, so that nobody knows whether it is right.',
    bg: 'Нещо не можа да бъде проверено и никой не знае дали е наред.',
  },
  'server.down': {
    level: 'failing',
    what: 'server',
    means: 'No server runs: webhooks reach nobody, and nothing is submitted.',
    bg: 'Не работи сървър: известията от магазините не стигат до никого и нищо не се подава.',
  },
  'queue.down': {
    level: 'failing',
    what: 'queue',
    means: 'The queue does not answer: webhooks wait in the database, and only what was recorded before is submitted.',
    bg: 'Опашката не отговаря: известията чакат в базата данни и се подава само записаното преди това.',
  },
  'queue.paused': {
    level: 'failing',
    what: 'queue',
    means: 'Somebody paused a queue: nothing is taken from it.',
    bg: 'Някой е спрял опашка: нищо не се взема от нея.',
  },
  'destination.paused': {
    level: 'failing',
    what: 'compliance service',
    means: 'The compliance service is down, throttles, or does not take the key: its orders wait.',
    bg: 'Услугата за отчитане не работи, ограничава заявките или не приема ключа: поръчките чакат.',
  },
  'shop.paused': {
    level: 'failing',
    what: 'compliance shop',
    means: 'The compliance service does not know a shop, or refuses it: its orders wait.',
    bg: 'Услугата за отчитане не познава обект или го отказва: поръчките му чакат.',
  },
  'shop.unknown': {
    level: 'failing',
    what: 'compliance shop',
    means: 'The compliance service does not know the shop of a connected store.',
    bg: 'Услугата за отчитане не познава обекта на свързан магазин.',
    isWrong: true,
  },
  'key.unknown': {
    level: 'failing',
    what: 'compliance key',
    means: 'The key of a connected store is revoked, unknown, or can’t be read.',
    bg: 'Ключът на свързан магазин е отнет, непознат или не може да бъде прочетен.',
  },
  'key.ending': {
    level: 'attention',
    what: 'compliance key',
    means: 'The key of a connected store was rotated only by half: the store’s records still go with it, and it ends within a day.',
    bg: 'Ключът на свързан магазин е сменен само наполовина: записите още се правят с него, а до ден той спира да важи.',
    isWrong: true,
  },
  ...secretChecks,
  'month.late': {
    level: 'failing',
    what: 'audit files',
    means: 'A month was not marked as filed by the end of its term.',
    bg: 'Месец не е отбелязан като подаден до края на срока.',
  },
  'month.blocked': {
    level: 'attention',
    what: 'audit files',
    means: 'The file of a month can’t be made.',
    bg: 'Файлът за месец не може да бъде изготвен.',
    isWrong: true,
  },
  'month.unmailed': {
    level: 'attention',
    what: 'audit files',
    means: 'Mails about the audit file of a month did not reach an address of its shop.',
    bg: 'Писма за одиторския файл на месец не стигнаха до адрес на магазина.',
    isWrong: true,
  },
  'month.due': {
    level: 'attention',
    what: 'audit files',
    means: 'The term of a month ends soon, and its file is not marked as filed.',
    bg: 'Срокът за месец изтича скоро, а файлът не е отбелязан като подаден.',
  },
  'orders.need-review': { level: 'attention', what: 'orders in review', means: 'Orders wait for a person.', bg: 'Поръчки чакат човек.' },
  'orders.unconfirmed': {
    level: 'attention',
    what: 'unconfirmed orders',
    means: 'It is not known whether these orders are recorded.',
    bg: 'Не е известно дали тези поръчки са записани.',
  },
  'orders.outstanding': {
    level: 'attention',
    what: 'paid orders',
    means: 'Paid orders were reported that are not recorded.',
    bg: 'Съобщени са платени поръчки, които не са записани.',
  },
  'orders.unread': {
    level: 'attention',
    what: 'unread orders',
    means: 'Orders of a store could not be read whole, so that they are not recorded as they are.',
    bg: 'Поръчки на магазин не можаха да бъдат прочетени изцяло и не са записани така, както са.',
  },
  'webhooks.need-review': {
    level: 'attention',
    what: 'webhooks in review',
    means: 'Webhooks are signed and can’t be read, so that their orders are not known.',
    bg: 'Известия са подписани, но не могат да бъдат прочетени: поръчките им не са известни.',
  },
  'hosts.quarantined': {
    level: 'attention',
    what: 'quarantined webhooks',
    means: 'Webhooks name another host than their store’s, and are quarantined.',
    bg: 'Известия назовават друг адрес, а не този на магазина, и са задържани.',
  },
  'backlog.old': {
    level: 'attention',
    what: 'backlog',
    means: 'Work has been waiting for longer than it should.',
    bg: 'Работа чака по-дълго, отколкото трябва.',
    isWrong: true,
  },
  'receipts.paused': {
    level: 'attention',
    what: 'receipts',
    means: 'The compliance service gives no receipts now; records are not affected.',
    bg: 'Услугата за отчитане сега не дава документи за продажба; записите не са засегнати.',
  },
  'store.paused': {
    level: 'attention',
    what: 'store APIs',
    means: 'The API of a store hangs, fails or refuses its key.',
    bg: 'Магазин не отговаря чрез своя API, дава грешки или отказва ключа.',
  },
  'store.unread': {
    level: 'attention',
    what: 'store APIs',
    means: 'A store has not been read by its API for long, or its reading does not get further.',
    bg: 'Магазин отдавна не е прочетен чрез неговия API или четенето му не напредва.',
  },
  'store.trial': {
    level: 'attention',
    what: 'trials',
    means: 'A store has been on trial for more than three days: nothing of it is recorded.',
    bg: 'Магазин е в проба от повече от три дни: нищо от него не се записва.',
  },
  'webhooks.broken': {
    level: 'attention',
    what: 'webhooks',
    means: 'A store has something wrong with its webhooks.',
    bg: 'Нещо не е наред с известията на магазин.',
    isWrong: true,
  },
  'webhooks.refused': {
    level: 'attention',
    what: 'webhooks',
    means: 'The webhooks of a store are refused one after the other.',
    bg: 'Известията на магазин се отказват едно след друго.',
  },
  'webhooks.silent': {
    level: 'attention',
    what: 'webhooks',
    means: 'A store that used to send webhooks sends none.',
    bg: 'Магазин, който изпращаше известия, не изпраща.',
  },
  'privacy.not-forgotten': {
    level: 'attention',
    what: 'erased buyers',
    means: 'Buyers were erased here by a privacy request, and the compliance service still has them.',
    bg: 'Купувачи са заличени тук по искане за поверителност, а услугата за отчитане още ги пази.',
  },
  'deliveries.not-reported': {
    level: 'attention',
    what: 'deliveries',
    means: 'The compliance service was not told when orders were delivered, so that the file of another month may list them.',
    bg: 'На услугата за отчитане не е съобщено кога са доставени поръчки и може да попаднат във файла на друг месец.',
  },
  'mails.failed': { level: 'attention', what: 'mail', means: 'Mails reached no recipient.', bg: 'Писма не стигнаха до никого.', isWrong: true },
  'mail.down': { level: 'attention', what: 'mail', means: 'The mail server can’t be used.', bg: 'Пощенският сървър не може да бъде използван.', isWrong: true },
  'rates.missing': {
    level: 'attention',
    what: 'exchange rates',
    means: 'Recorded orders have no exchange rate, which blocks the files of their months.',
    bg: 'Записани поръчки нямат валутен курс и файловете на месеците им са спрени.',
    isWrong: true,
  },
  'orders.ended-currency': {
    level: 'attention',
    what: 'exchange rates',
    means: 'Recorded orders are in a currency that had ended when they were made, such as leva.',
    bg: 'Записани поръчки са във валута, която вече не е била в обращение, например левове.',
  },
  'rates.old': {
    level: 'attention',
    what: 'exchange rates',
    means: 'No exchange rates were fetched for a week.',
    bg: 'От седмица не са изтегляни валутни курсове.',
  },
  'database.restarted': {
    level: 'attention',
    what: 'database',
    means: 'The embedded PostgreSQL died within the last day, and was started again.',
    bg: 'Вграденият PostgreSQL е спрял през последното денонощие и е пуснат отново.',
    isWrong: true,
  },
  ...companyChecks,
  'disk.full': { level: 'attention', what: 'disk', means: 'The disk is nearly full.', bg: 'Дискът е почти пълен.', isWrong: true },
  'clock.off': { level: 'attention', what: 'clock', means: 'The clock of this machine is wrong.', bg: 'Часовникът на машината е неверен.', isWrong: true },
  'public.silent': {
    level: 'attention',
    what: 'PUBLIC_URL',
    means: 'The public address does not lead here.',
    bg: 'Публичният адрес не води дотук.',
    isWrong: true,
  },
  'queue.unsafe': {
    level: 'attention',
    what: 'queue',
    means: 'The settings of Redis can lose webhooks that were accepted.',
    bg: 'Настройките на Redis могат да загубят приети известия.',
    isWrong: true,
  },
  'database.unsafe': {
    level: 'attention',
    what: 'database',
    means: 'The settings of PostgreSQL can lose what was recorded.',
    bg: 'Настройките на PostgreSQL могат да загубят записаното.',
    isWrong: true,
  },
  'admin.short': {
    level: 'attention',
    what: 'dashboard',
    means: 'The dashboard is off, because its password could be guessed.',
    bg: 'Таблото е изключено, защото паролата му може да бъде отгатната.',
    isWrong: true,
  },
  'alerts.broken': { level: 'attention', what: 'alerts', means: 'Alerts don’t arrive.', bg: 'Предупрежденията не пристигат.', isWrong: true },
} as const satisfies Record<string, Entry>;

export type CheckCode = keyof typeof checkCodes;

/** Is it more than a thing that waits for a person? */
export function isWrong({ code, level }: { code: CheckCode; level: 'failing' | 'attention' }): boolean {
  return level === 'failing' || 'isWrong' in checkCodes[code];
}
