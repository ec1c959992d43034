import type { Dialect } from '../../contract/dialect.ts';
import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';

/** How a request ended. */
export const requestOutcomes: Readonly<Record<string, LocalizedText>> = {
  recorded: { en: 'done', bg: 'готово' },
  deleted: { en: 'done', bg: 'готово' },
  gone: { en: 'was gone already', bg: 'вече го нямаше' },
  refused: { en: 'refused', bg: 'отказано' },
  conflict: { en: 'refused: the service has a record under this id', bg: 'отказано: услугата вече има запис с този идентификатор' },
  'receipt-got': { en: 'issued', bg: 'издаден' },
  'receipt-refused': { en: 'refused', bg: 'отказан' },
  unreachable: { en: 'the service could not be reached', bg: 'услугата е недостъпна' },
  throttled: { en: 'the service asked to wait', bg: 'услугата поиска изчакване' },
  misconfigured: { en: 'the service refused the key', bg: 'услугата отказа ключа' },
  'shop-unknown': { en: 'the service does not know the shop', bg: 'услугата не познава обекта' },
  'shop-refused': { en: 'the service refused the shop', bg: 'услугата отказа обекта' },
  disbelieved: { en: '404, not trusted', bg: 'отговор 404, недостоверен' },
  unknown: { en: 'no valid answer', bg: 'няма валиден отговор' },
  'by-hand': { en: 'made by hand', bg: 'направен на ръка' },
  'not-recorded': { en: 'not there (confirmed by a person)', bg: 'няма го (потвърдено от човек)' },
  'not-deleted': { en: 'still there (confirmed by a person)', bg: 'още съществува (потвърдено от човек)' },
};

/** Where records are sent to. */
export const destinations = messages({
  title: { en: 'Compliance service', bg: 'Услуга за отчитане' },
  none: {
    en: 'No compliance service is used yet. It is known once a store is connected.',
    bg: 'Още не се използва услуга за отчитане. Тя става известна, щом се свърже магазин.',
  },
  ours: { en: 'our own service', bg: 'собствената услуга' },
  key: {
    en: (end: string | null): string => (end === null ? 'its key can’t be opened with these ENCRYPTION_KEYS' : `key …${end}`),
    bg: (end: string | null) => (end === null ? 'ключът не може да бъде разчетен с тези ENCRYPTION_KEYS' : `ключ …${end}`),
  },
  stores: { en: (names: string): string => `Stores: ${names}`, bg: (names: string) => `Магазини: ${names}` },
  noStores: { en: 'No store sends there any more.', bg: 'Вече никой магазин не изпраща към нея.' },
  working: { en: 'Works', bg: 'Работи' },
  slowed: { en: 'Partly paused', bg: 'Отчасти в пауза' },
  paused: { en: 'Paused: nothing is sent', bg: 'В пауза: нищо не се изпраща' },
  pace: {
    en: (n: number, failed: number, isMore: boolean): string =>
      n === 0
        ? 'No request in the last hour.'
        : `${isMore ? 'More than ' : ''}${counted.en(n, 'request', 'requests')} in the last hour${failed === 0 ? '' : `, ${failed} failed`}.`,
    bg: (n: number, failed: number, isMore: boolean) =>
      n === 0
        ? 'Няма заявки през последния час.'
        : `${isMore ? 'Повече от ' : ''}${counted.bg(n, 'заявка', 'заявки')} през последния час${failed === 0 ? '' : `, неприети: ${failed}`}.`,
  },
  pauses: {
    caption: { en: 'What is paused', bg: 'Какво е в пауза' },
    what: { en: 'What', bg: 'Какво' },
    why: { en: 'Why', bg: 'Защо' },
    since: { en: 'Since', bg: 'От' },
    waiting: { en: 'Waits', bg: 'Чакат' },
    next: { en: 'Retried', bg: 'Нов опит' },
    callType: {
      records: { en: 'Records', bg: 'Записи' },
      receipts: { en: 'Receipts', bg: 'Документи за продажба' },
    },
    whole: { en: 'all stores', bg: 'всички магазини' },
    waits: {
      en: (n: number, isMore: boolean): string => `${isMore ? 'more than ' : ''}${orderCount.en(n)}`,
      bg: (n: number, isMore: boolean) => `${isMore ? 'повече от ' : ''}${orderCount.bg(n)}`,
    },
    failures: {
      en: (n: number): string => form.en(n, 'failed once', `failed ${n} times in a row`),
      bg: (n: number) => counted.bg(n, 'неуспешен опит', 'неуспешни опита поред'),
    },
    resume: { en: 'Resume this shop', bg: 'Прекрати паузата за този обект' },
  },
  reasons: {
    'compliance.unreachable': { en: 'it can’t be reached', bg: 'няма връзка с нея' },
    'compliance.throttled': { en: 'it answers that requests must wait', bg: 'отговаря, че заявките трябва да почакат' },
    'compliance.failing': { en: 'it fails for every order', bg: 'връща грешка за всяка поръчка' },
    'compliance.insecure': {
      en: 'its address is http://, so that its key would be sent in the clear',
      bg: 'адресът ѝ е http:// и ключът би се изпратил открито',
    },
    'compliance.misconfigured': { en: 'it refuses the key, the shop or the address', bg: 'отказва ключа, обекта или адреса' },
    other: { en: (code: string): string => `it is paused (${code})`, bg: (code: string) => `в пауза е (${code})` },
  },
  probe: { en: 'Probe now', bg: 'Провери сега' },
  probeHint: {
    en: 'Sends a harmless test request; if the service is paused, retries one order.',
    bg: 'Изпраща безвредна пробна заявка; ако услугата е в пауза, опитва отново с една поръчка.',
  },
  resume: { en: 'Resume', bg: 'Прекрати паузата' },
  resumeHint: {
    en: 'Ends the pauses: all that waits is sent now. If it still fails, it is paused again.',
    bg: 'Паузите свършват и всичко чакащо се изпраща сега. Ако услугата още не работи, пак ще бъде в пауза.',
  },
  probed: { en: (who: string, ago: string): string => `Probed ${ago} by ${who}:`, bg: (who: string, ago: string) => `Проверена ${ago} от ${who}:` },
  answered: {
    en: (status: number, ms: number): string => `answered ${status} in ${ms} ms`,
    bg: (status: number, ms: number) => `отговор ${status} за ${ms} ms`,
  },
  works: { en: 'it answers, and accepts the key.', bg: 'отговаря и приема ключа.' },
  noAnswer: { en: (ms: number): string => `no answer within ${ms} ms`, bg: (ms: number) => `няма отговор за ${ms} ms` },
  requests: {
    title: { en: 'The last requests', bg: 'Последни заявки' },
    none: {
      en: 'No request was made yet. Each is listed here with its order, the answer and how long it took.',
      bg: 'Още няма заявки. Тук всяка ще е с поръчката, отговора и времето си.',
    },
    noneThen: { en: 'No request was made on these days.', bg: 'В тези дни няма заявки.' },
    count: {
      en: ({ requests, failed }: { requests: number; failed: number }): string => `${counted.en(requests, 'request', 'requests')}, ${failed} failed`,
      bg: ({ requests, failed }: { requests: number; failed: number }) => `${counted.bg(requests, 'заявка', 'заявки')}, неприети: ${failed}`,
    },
    at: { en: 'Time', bg: 'Кога' },
    order: { en: 'Order', bg: 'Поръчка' },
    what: { en: 'What', bg: 'Какво' },
    answer: { en: 'Answer', bg: 'Отговор' },
    took: { en: 'Took', bg: 'Време' },
    kinds: {
      create: { en: 'create record', bg: 'създаване на запис' },
      delete: { en: 'delete record', bg: 'изтриване на запис' },
      receipt: { en: 'receipt', bg: 'документ за продажба' },
    },
    open: { en: 'no answer yet', bg: 'още няма отговор' },
    ms: { en: (n: number): string => `${n} ms`, bg: (n: number) => `${n} ms` },
    attempts: { en: (n: number): string => `${n} attempts`, bg: (n: number) => `${n} опита` },
    outcomes: requestOutcomes,
  },
  dialect: {
    title: { en: 'Request format', bg: 'Формат на заявките' },
    caption: { en: 'Settings of requests', bg: 'Настройки на заявките' },
    words: {
      signatureAlgorithm: { en: 'Signature', bg: 'Подпис' },
      signatureEncoding: { en: 'Written in', bg: 'Записан като' },
      signatureEmptyBody: { en: 'Without a body', bg: 'Без съдържание' },
      amounts: { en: 'Amounts', bg: 'Суми' },
      vatRate: { en: 'VAT rate', bg: 'Ставка на ДДС' },
      idempotencyKey: { en: 'Idempotency-Key', bg: 'Idempotency-Key' },
    } satisfies Readonly<Record<keyof Dialect, LocalizedText>>,
    example: {
      en: (secret: string): string => `An example, signed with the secret “${secret}”:`,
      bg: (secret: string) => `Пример, подписан с тайния ключ „${secret}“:`,
    },
  },
  queues: {
    title: { en: 'Queues', bg: 'Опашки' },
    caption: { en: 'Queues and their jobs', bg: 'Опашки и техните задачи' },
    name: { en: 'Queue', bg: 'Опашка' },
    state: { en: 'State', bg: 'Състояние' },
    running: { en: 'running', bg: 'работи' },
    paused: { en: 'paused', bg: 'в пауза' },
    waiting: { en: 'Waiting', bg: 'Чакат' },
    active: { en: 'Running', bg: 'В работа' },
    delayed: { en: 'Later', bg: 'По-късно' },
    failed: { en: 'Failed', bg: 'Неуспешни' },
    resume: { en: 'Resume', bg: 'Пусни отново' },
    away: {
      en: 'The queue does not answer. Webhooks are kept in the database meanwhile.',
      bg: 'Опашката не отговаря. Дотогава известията от магазините се пазят в базата данни.',
    },
  },
});

/** Background jobs. */
export const jobs = messages({
  title: { en: 'Background jobs', bg: 'Фонови задачи' },
  intro: {
    en: 'Work that is done beside orders and webhooks. What fails is retried by itself.',
    bg: 'Работа, която се върши отделно от поръчките и известията. Неуспешното се опитва отново само.',
  },
  none: { en: 'No job waits, runs or fails.', bg: 'Никоя задача не чака, не се изпълнява и не е неуспешна.' },
  caption: { en: 'Jobs by kind', bg: 'Задачи по вид' },
  kind: { en: 'Kind', bg: 'Вид' },
  states: {
    waiting: { en: 'Waiting', bg: 'Чакат' },
    due: { en: 'Due', bg: 'На ред' },
    running: { en: 'Running', bg: 'Изпълняват се' },
    failing: { en: 'Failing', bg: 'Неуспешни' },
    blocked: { en: 'Blocked', bg: 'Спрени' },
    unclaimed: { en: 'Run by no process', bg: 'Никой процес не ги изпълнява' },
  },
  failing: { en: 'Jobs that failed', bg: 'Неуспешни задачи' },
  key: { en: 'Job', bg: 'Задача' },
  since: { en: 'Since', bg: 'От' },
  why: { en: 'Why', bg: 'Защо' },
  next: { en: 'Next try', bg: 'Следващ опит' },
  attempts: { en: (n: number): string => counted.en(n, 'try', 'tries'), bg: (n: number): string => counted.bg(n, 'опит', 'опита') },
  blocked: { en: 'when something changes', bg: 'когато нещо се промени' },
  retry: { en: 'Try now', bg: 'Опитай сега' },
  drop: { en: 'Drop it', bg: 'Откажи я' },
  reason: { en: 'Why it is dropped', bg: 'Защо се отказва' },
});
