import { appsInBulgarian } from './apps-bg.ts';
import { auditFileInBulgarian } from './audit-file-bg.ts';
import { ordersBg } from './counts-bg.ts';
import type { en } from './en.ts';
import { monthsInBulgarian } from './months-bg.ts';
import { orderInBulgarian } from './order-bg.ts';
import { readingInBulgarian } from './reading-bg.ts';
import { serviceInBulgarian } from './service-bg.ts';
import { storesInBulgarian } from './stores-bg.ts';
import { workInBulgarian } from './work-bg.ts';

const roles: Readonly<Record<string, string>> = { owner: 'собственик', operator: 'оператор', accountant: 'счетоводител', viewer: 'наблюдател' };

export const bg: typeof en = {
  status: {
    ok: 'наред: всичко е наред.',
    attention: (n) => `внимание: поръчките се записват, както идват; ${n === 1 ? '1 нещо иска' : `${n} неща искат`} поглед.`,
    failing: (n, others) =>
      `спешно: поръчки не могат да бъдат записани или законов срок е изтекъл, ${n === 1 ? 'по 1 причина' : `по ${n} причини`}${others === 0 ? '' : `; освен това ${others === 1 ? '1 нещо иска' : `${others} неща искат`} поглед`}.`,
    levels: { ok: 'наред', attention: 'внимание', failing: 'спешно' },
    since: (time) => `от ${time}`,
    count: (n) => `брой ${n}`,
    sum: (total) => `сума ${total}`,
  },
  review: {
    none: 'Нищо не чака човек.',
    cut: (n) => `Показани са само най-новите ${n} от вид.`,
    orders: ordersBg,
    toDo: (todo) => `Какво да се направи: ${todo}`,
    ofStore: (store) => ` на ${store}`,
    more: (n, ofStore) => `и още ${n}${ofStore}`,
    each: '`orderbridge review --all` показва всяка.',
    together: (code) => `След като е поправено: \`orderbridge release --code ${code}\`; за един магазин добавете \`--connection STORE\`.`,
    unconfirmedTodo:
      'Погледнете в услугата за отчитане: ако записът е там, `orderbridge resolve ORDER --recorded ITS_ID`; ако го няма, `orderbridge resolve ORDER --not-recorded`.',
    host: (host, store, connection) => `хост ${host}, магазин ${store}, връзка ${connection}`,
    held: (n, from, to) => (n === 1 ? `1 известие от ${from}` : `${n} известия от ${from} до ${to}`),
    isHeld: 'задържано',
    isInReview: 'чака човек',
    order: ({ orderId, number, total, store, connection, id }) =>
      `поръчка ${orderId} (${number ?? 'номерът не е известен'}), ${total ?? 'сумата не е известна'}, магазин ${store}, връзка ${connection}, id:${id}`,
    lost: 'отговорът на заявка за запис се изгуби',
    webhook: (topic, time) => `известие ${topic || '(темата е в съдържанието му)'} от ${time}`,
    from: (store, connection, id) => `магазин ${store}, връзка ${connection}, известие ${id}`,
  },
  orders: {
    none: 'Няма такава поръчка.',
    more: (limit) => `Поръчките са повече от ${limit}; стеснете списъка или увеличете --limit.`,
    unreadable: (message) => `Една поръчка не е показана: ${message}`,
  },
  order: {
    decidedAgain: (named) => `Поръчка ${named} се преценява отново.`,
    apart: (orderId) => `Отделна продажба е, поръчка ${orderId}; преценява се отново.`,
    joined: (orderId) => `Това е поръчка ${orderId}, която се преценява отново.`,
    kept: (named) => `Поръчка ${named} остава продажба и се преценява отново според това.`,
    removed: (named) => `Поръчка ${named} не е продажба; записът ѝ се изтрива.`,
    settled: (named, words) => `Поръчка ${named} е уредена: ${words}`,
    wordIsTaken: 'Услугата за отчитане не показва записите си, затова се приема вашата дума.',
    settledAs: {
      recorded: (id) => `записана е като ${id}; записът се брои за собствен: по-късно връщане го изтрива или заменя.`,
      'not-a-sale': 'не е продажба. Ако за нея дойде нещо ново, пак чака човек.',
      elsewhere: 'отчетена е другаде. Ако за нея дойде нещо ново, пак чака човек.',
    },
    resolved: (named, id) => `Поръчка ${named} ${id === null ? 'не е записана' : `е записана като ${id}`}; преценява се отново.`,
    looked: {
      found: (id) => `Услугата я има като ${id}.`,
      several: (ids) => `Услугата има няколко записа на тази поръчка: ${ids}. Първо изтрийте там всички освен един.`,
      none: 'Услугата показва записите си и няма запис на тази поръчка.',
      unlisted: 'Услугата не показва записите си: погледнете там сами.',
    },
  },
  sheet: orderInBulgarian,
  stores: storesInBulgarian,
  apps: appsInBulgarian,
  reading: readingInBulgarian,
  work: workInBulgarian,
  service: serviceInBulgarian,
  people: {
    added: (email, role) => `${email} вече има достъп като ${roles[role] ?? role}. Паролата се избира тук, еднократно, до 3 дни:`,
    reset: (email) => `Паролата на ${email} е отнета. Друга се избира тук, еднократно, до 3 дни:`,
    disabled: (email) => `${email} вече няма достъп.`,
    enabled: (email) => `${email} отново има достъп.`,
    none: 'Още никой няма достъп: `orderbridge people add --role owner EMAIL` дава на някого.',
    linkUntil: (time) => `има връзка до ${time}`,
    issuer: (host) => `чрез ${host}`,
  },
  invitations: {
    invited: (id) => `Търговецът свързва магазин тук, до 14 дни (покана ${id}):`,
    renewed: 'Новата му връзка; предишните вече не отварят нищо:',
    mailed: 'Изпратена му е по пощата.',
    noMail: 'Не е изпратена: за това трябва да са зададени SMTP_URL и PUBLIC_URL. Изпратете му я сами.',
    notMailed: (why) => `Не можа да бъде изпратена (${why}). Изпратете му я сами.`,
    noPages: 'CONSOLE е изключена тук: никой процес с тази настройка не дава /connect, където води връзката.',
    revoked: 'Тези връзки вече не отварят нищо.',
    confirmHow: 'посочете --confirm или --refuse',
    confirmed: (company) => `Фирмата ${company} е потвърдена; търговецът може да продължи.`,
    refused: (company) => `Фирмата ${company} не е потвърдена; обект не се създава и търговецът може да посочи друга.`,
    others: (names) => `Тази фирма е и на други, с които номерата на документите са общи: ${names}.`,
    settleHow: 'посочете обекта с --is UUID или --none',
    noLinks: 'никоя такава връзка на тази покана не отваря нищо',
    settled: 'Търговецът може да продължи.',
    none: 'Още не е канен търговец: `orderbridge invite` дава връзка.',
  },
  activity: { none: 'Още нищо не е правено.', order: (name) => `поръчка ${name}` },
  deliveries: { none: 'По тази връзка още не е дошло известие.', noneRefused: 'По тази връзка няма отказано известие.' },
  doctor: {
    marks: { ok: 'наред', remark: 'бележка', wrong: 'ГРЕШКА' },
    settings: 'Настройки на заявките към услугата за отчитане:',
    wrong: (what) => `не е наред: ${what}; по-горе пише какво да се направи`,
  },
  months: monthsInBulgarian,
  auditFile: auditFileInBulgarian,
};
