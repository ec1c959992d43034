import type { TaskKind } from '../../bridge/ledger/sync/task-store.ts';
import type { DifferenceKind, Why } from '../../bridge/reconciliation/difference.ts';
import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';

/** What is begun on a store's page, and takes longer than an answer. */
export const tasks = messages({
  verbs: {
    title: { en: 'Look for what is missing', bg: 'Потърси липсващото' },
    read: { en: 'Read it now', bg: 'Прочети го сега' },
    compare: { en: 'Compare', bg: 'Съпостави' },
    backfill: { en: 'Import older orders', bg: 'Приеми по-стари поръчки' },
    test: { en: 'Send a test order', bg: 'Изпрати пробна поръчка' },
  },
  readHint: {
    en: 'A worker reads what changed in the store since the beginning of last month. It is read by itself, too: every few minutes, and whole once a day.',
    bg: 'Прочита се какво се е променило в магазина от началото на миналия месец. Магазинът се чете и сам: на няколко минути, а веднъж на ден – изцяло.',
  },
  last: { en: 'What was started here last', bg: 'Последно започнато тук' },
  kinds: {
    compare: { en: 'Comparing', bg: 'Съпоставяне' },
    repair: { en: 'Comparing and repairing', bg: 'Съпоставяне и изправяне' },
    plan: { en: 'Counting older orders', bg: 'Броене на по-стари поръчки' },
    backfill: { en: 'Importing older orders', bg: 'Приемане на по-стари поръчки' },
    test: { en: 'A test order', bg: 'Пробна поръчка' },
  } satisfies Readonly<Record<TaskKind, LocalizedText>>,
  states: {
    working: { en: 'running', bg: 'изпълнява се' },
    failed: { en: 'not done', bg: 'не стана' },
    done: { en: 'done', bg: 'готово' },
  },
  title: { en: (kind: string, store: string): string => `${kind}: ${store}`, bg: (kind: string, store: string) => `${kind}: ${store}` },
  by: { en: (who: string): string => `Started by ${who}`, bg: (who: string) => `Започнато от ${who}` },
  seen: {
    en: (n: number): string => `${orderCount.en(n)} read so far.`,
    bg: (n: number) => form.bg(n, 'Дотук е прочетена 1 поръчка.', `Дотук са прочетени ${n} поръчки.`),
  },
  leave: {
    en: 'You may leave this page; it goes on, and the page of the store leads back here.',
    bg: 'Можете да напуснете тази страница: работата продължава, а страницата на магазина води обратно тук.',
  },
  again: { en: 'Start it again', bg: 'Започни отново' },
  later: { en: 'A later release wrote the result; look at it with that release.', bg: 'Резултатът е записан от по-нова версия; вижте го с нея.' },
  stale: {
    en: (kind: string, state: string): string => `Last started: ${kind} (${state})`,
    bg: (kind: string, state: string) => `Последно започнато: ${kind} (${state})`,
  },
  ofMonth: { en: (month: string): string => `The file of ${month}`, bg: (month: string) => `Файлът за ${month}` },
  compare: {
    title: { en: (name: string): string => `Compare ${name}`, bg: (name: string) => `Съпоставяне на ${name}` },
    intro: {
      en: 'Compares the store, the ledger here, the compliance service and the month’s file, by order and to the cent. This only looks: repairing is offered with what was found.',
      bg: 'Сверява поръчка по поръчка и до цент какво има в магазина, тук, в услугата за отчитане и във файла за месеца. Това само показва: изправянето се предлага при намереното.',
    },
    days: { en: 'By days', bg: 'По дни' },
    from: { en: 'Sold from', bg: 'Продадени от' },
    to: { en: 'Through', bg: 'До този ден включително' },
    toHint: { en: 'Leave it empty to compare up to now.', bg: 'Оставете празно за „досега“.' },
    month: { en: 'A month, with its file', bg: 'Месец с неговия файл' },
    monthLabel: { en: 'Month', bg: 'Месец' },
    monthHint: { en: 'As in 2026-10.', bg: 'Например 2026-10.' },
    do: { en: 'Compare', bg: 'Съпостави' },
    wrong: {
      noDay: { en: 'Enter a date, such as 2026-10-01.', bg: 'Въведете дата, например 2026-10-01.' },
      noMonth: { en: 'Enter a month, such as 2026-10.', bg: 'Въведете месец, например 2026-10.' },
      backwards: { en: 'It must not be before the first day.', bg: 'Не може да е преди първия ден.' },
      ahead: { en: 'No later than today.', bg: 'Най-късно днес.' },
    },
  },
  compared: {
    caption: { en: 'What each source has', bg: 'Какво има всеки източник' },
    source: { en: 'Source', bg: 'Източник' },
    sources: {
      store: { en: 'Store', bg: 'Магазин' },
      ledger: { en: 'Here', bg: 'Тук' },
      service: { en: 'Compliance service', bg: 'Услуга за отчитане' },
      file: { en: 'File of the month', bg: 'Файл за месеца' },
    },
    orders: { en: 'Orders', bg: 'Поръчки' },
    total: { en: 'Total', bg: 'Сума' },
    unread: { en: 'not read', bg: 'не е прочетено' },
    none: { en: 'Nothing was sold in that time.', bg: 'За това време няма продажби.' },
    agree: { en: 'No difference.', bg: 'Няма разлика.' },
    partly: { en: 'Not everything could be read; what was compared has no difference.', bg: 'Не всичко можа да бъде прочетено; в сравненото няма разлика.' },
    differences: { en: (n: number): string => counted.en(n, 'difference', 'differences'), bg: (n: number) => counted.bg(n, 'разлика', 'разлики') },
    differencesTitle: { en: 'Differences', bg: 'Разлики' },
    repaired: {
      en: (n: number): string => `${counted.en(n, 'difference was', 'differences were')} repaired.`,
      bg: (n: number) => form.bg(n, 'Изправена е 1 разлика.', `Изправени са ${n} разлики.`),
    },
    unchecked: { en: 'Not checked', bg: 'Не е проверено' },
    more: {
      en: (n: number): string => `${n} more ${form.en(n, 'is', 'are')} not shown.`,
      bg: (n: number) => form.bg(n, 'Още 1 не е показана.', `Още ${n} не са показани.`),
    },
    order: { en: 'Order', bg: 'Поръчка' },
    what: { en: 'What differs', bg: 'Какво се различава' },
    todo: { en: 'What is to be done', bg: 'Какво следва' },
    repairs: { en: 'fixed automatically', bg: 'изправя се автоматично' },
    asks: { en: 'a person must decide', bg: 'решава човек' },
    repairTitle: { en: 'Repair', bg: 'Изправяне' },
    repairHint: {
      en: (n: number): string =>
        `${form.en(n, 'The one that is', `The ${n} that are`)} fixed automatically: what is unknown or older here is read from the store and recorded, records that the service has are taken as ours, and what is gone is recorded again.`,
      bg: (n: number) =>
        `${form.bg(n, 'Тази, която се изправя', `Тези ${n}, които се изправят`)} автоматично: непознатото или остарялото тук се прочита от магазина и се записва, записи, които са в услугата, се приемат за наши, а липсващите се записват отново.`,
    },
    repair: { en: 'Repair them', bg: 'Изправи ги' },
    record: { en: 'Look at the record', bg: 'Виж записа' },
    kinds: {
      'unknown-here': { en: 'not known here', bg: 'не се знае тук' },
      'stale-here': { en: 'older here', bg: 'тук е остаряла' },
      'older-there': { en: 'older in the store', bg: 'в магазина е остаряла' },
      'gone-there': { en: 'gone from the store', bg: 'няма я в магазина' },
      'not-recorded': { en: 'not recorded', bg: 'не е записана' },
      'record-differs': { en: 'recorded differently', bg: 'записана е различно' },
      'record-unknown': { en: 'a record without an order', bg: 'запис без поръчка' },
      'not-in-file': { en: 'the file differs', bg: 'файлът се различава' },
    } satisfies Readonly<Record<DifferenceKind, LocalizedText>>,
    whys: {
      unknown: { en: 'It is read from the store and recorded.', bg: 'Прочита се от магазина и се записва.' },
      stale: {
        en: 'It changed in the store since: it is read again, and its record follows.',
        bg: 'Променила се е в магазина след това: прочита се отново и записът ѝ я следва.',
      },
      older: {
        en: 'The store shows an older state of it than it gave before, such as after a backup was restored: what is recorded stays. Do again in the store what is missing there, such as a refund; or, if it never took place, save the order there, and its record follows.',
        bg: 'Магазинът показва по-старо нейно състояние от съобщеното преди това, например след възстановяване от резервно копие: записаното остава. Повторете в магазина каквото липсва там, например връщане на пари; или, ако то не е било, запазете поръчката там и записът ще я последва.',
      },
      gone: {
        en: 'It is gone from the store, which didn’t report it: it is treated as a deleted order.',
        bg: 'Вече я няма в магазина, а той не го е съобщил: приема се за изтрита поръчка.',
      },
      'gone-person': { en: 'It is gone from the store; its page says what is asked.', bg: 'Вече я няма в магазина; страницата ѝ казва какво се пита.' },
      adopt: {
        en: 'The service has a record of this very sale: it is taken as ours, and replaced if it differs.',
        bg: 'Услугата има запис точно на тази продажба: приема се за наш и се заменя, ако се различава.',
      },
      conflict: {
        en: 'The service has a record under its id that was made for a sale of another moment: look whose it is, then say so on the page of the order.',
        bg: 'Услугата има запис с нейния идентификатор, направен за продажба от друг момент: вижте чий е и го кажете на страницата на поръчката.',
      },
      'record-gone': { en: 'The service no longer has its record: it is recorded again.', bg: 'Записа ѝ вече го няма в услугата: записва се отново.' },
      waits: { en: 'It is being recorded.', bg: 'В момента се записва.' },
      person: { en: 'It waits for a person; its page says what is asked.', bg: 'Поръчката е за проверка; на страницата ѝ пише защо.' },
      replace: { en: 'Its record is being replaced or deleted.', bg: 'Записът ѝ в момента се заменя или изтрива.' },
      'other-content': {
        en: 'The record at the service has other content than was sent: compare both, and correct it there.',
        bg: 'Записът в услугата има друго съдържание от изпратеното: сравнете двете и го поправете там.',
      },
      'other-money': {
        en: 'What the customer paid and kept by the store’s list is not what is recorded: compare both.',
        bg: 'Платеното от купувача според магазина не е записаното: сравнете двете.',
      },
      unclaimed: {
        en: 'No order belongs to this record. Made by other software or by hand: leave it; else delete it there.',
        bg: 'Никоя поръчка не стои зад този запис. Ако е направен от друга програма или на ръка, оставете го; иначе го изтрийте там.',
      },
      'file-missing': {
        en: 'It was recorded after the newest version of the month’s file was made: make a new version.',
        bg: 'Записана е след последната версия на файла за месеца: изгответе нова версия.',
      },
      'file-left': {
        en: 'The newest version of the month’s file lists it, although it is no longer recorded: make a new version.',
        bg: 'Последната версия на файла за месеца я съдържа, макар че вече не е записана: изгответе нова версия.',
      },
      'file-differs': {
        en: 'The newest version of the month’s file lists another amount: make a new version.',
        bg: 'Последната версия на файла за месеца има друга сума: изгответе нова версия.',
      },
    } satisfies Readonly<Record<Why, LocalizedText>>,
    unreadStore: {
      en: 'The store was not read: without it only what has the same content is taken as ours, and nothing is recorded again.',
      bg: 'Магазинът не беше прочетен: без него за наши се приемат само записи със същото съдържание и нищо не се записва отново.',
    },
  },
  backfill: {
    title: { en: (name: string): string => `Import older orders of ${name}`, bg: (name: string) => `По-стари поръчки на ${name}` },
    intro: {
      en: 'Paid orders from before the store was connected, or from a time in which it was disconnected, are read from the store and recorded. First it is counted how many there are, what they come to, and which month’s file would list them.',
      bg: 'Платени поръчки отпреди свързването на магазина или от време, в което е бил изключен, се прочитат от него и се записват. Първо се преброява колко са, на каква стойност са и във файла за кой месец биха влезли.',
    },
    from: { en: 'Sold from', bg: 'Продадени от' },
    to: { en: 'Through', bg: 'До този ден включително' },
    toHint: {
      en: (from: string): string => `Leave it empty to go up to ${from}: later orders are recorded anyway.`,
      bg: (from: string) => `Оставете празно за: до ${from}, откогато поръчките и без това се записват.`,
    },
    do: { en: 'Count them', bg: 'Преброй ги' },
    counted: {
      en: (n: number): string => counted.en(n, 'order is not imported yet.', 'orders are not imported yet.'),
      bg: (n: number) => form.bg(n, '1 поръчка още не е приета.', `Още неприети поръчки: ${n}.`),
    },
    goesOn: {
      en: (n: number): string => `An unfinished run imported ${n}; it continues from there.`,
      bg: (n: number) => `Недовършено приемане стигна до ${n}; продължава оттам.`,
    },
    file: { en: 'In the file of', bg: 'Във файла за' },
    recordedUnknown: {
      en: 'The compliance service does not list its records: it may already have some of these.',
      bg: 'Услугата за отчитане не показва записите си: не се знае дали вече има някои от тези.',
    },
    recorded: {
      en: (n: number): string =>
        `The compliance service has a record of ${n} of them already: those will wait for a person, and comparing takes their records as ours.`,
      bg: (n: number) => `Услугата за отчитане вече има запис на ${n} от тях: те ще бъдат за проверка, а при съпоставяне записите им се приемат за наши.`,
    },
    moves: {
      en: (from: string): string => `From then on orders are recorded that were paid from ${from}.`,
      bg: (from: string) => `След това се записват поръчки, платени от ${from}.`,
    },
    nothing: { en: 'There is nothing to import.', bg: 'Няма какво да се приеме.' },
    sure: {
      en: 'These were not recorded by other software. Otherwise they would be declared twice.',
      bg: 'Те не са записани от друга програма. Иначе биха били отчетени два пъти.',
    },
    notSure: {
      en: 'Tick this if it is so. If other software recorded them, leave them.',
      bg: 'Отбележете, ако е така. Ако ги е записала друга програма, оставете ги.',
    },
    start: {
      en: (n: number): string => (n === 0 ? 'Move the day' : `Import ${orderCount.en(n)}`),
      bg: (n: number) => (n === 0 ? 'Премести деня' : `Приеми ${orderCount.bg(n)}`),
    },
    taken: {
      en: (n: number): string => `${orderCount.en(n)} ${form.en(n, 'is', 'are')} imported, and will be recorded.`,
      bg: (n: number) => form.bg(n, '1 поръчка е приета и ще бъде записана.', `Приети са ${n} поръчки и ще бъдат записани.`),
    },
    unread: { en: 'Not read completely, since the store does not show them', bg: 'Непрочетени изцяло, защото магазинът не ги показва' },
    toOrders: { en: 'The orders of the store', bg: 'Поръчките на магазина' },
  },
  test: {
    title: { en: (name: string): string => `Send ${name} a test order`, bg: (name: string) => `Пробна поръчка за ${name}` },
    intro: {
      en: (shop: string): string =>
        `A small paid order is sent to the address of its webhooks as the store itself would, signed with its secret. It becomes a real tax record of ${shop}, in its month’s file until it is deleted.`,
      bg: (shop: string) =>
        `Малка платена поръчка се изпраща до адреса за известия, както би я изпратил самият магазин, подписана с тайния му ключ. Тя става истински данъчен запис на ${shop} и е във файла за месеца, докато не бъде изтрита.`,
    },
    none: {
      en: 'No test order can be made up for stores of this platform: place one in the store.',
      bg: 'За магазини на тази платформа не може да бъде съставена пробна поръчка: направете я в магазина.',
    },
    closed: { en: 'The store is disconnected: its webhooks are refused.', bg: 'Магазинът е изключен: известията му се отказват.' },
    do: { en: 'Send it', bg: 'Изпрати я' },
    back: {
      en: 'It is a tax record now, and counts in its month’s file. To take it back, send its refund as the store would, or delete its record.',
      bg: 'Вече е данъчен запис и влиза във файла за месеца. За да го върнете, изпратете възстановяването ѝ, както би го направил магазинът, или изтрийте записа.',
    },
    backElsewhere: {
      en: (id: string): string =>
        `It is a tax record now, and counts in its month’s file. To take it back, send its refund as the store would, or delete the record ${id} at the compliance service.`,
      bg: (id: string) =>
        `Вече е данъчен запис и влиза във файла за месеца. За да го върнете, изпратете възстановяването ѝ, както би го направил магазинът, или изтрийте записа ${id} в услугата за отчитане.`,
    },
    toDelete: { en: 'Delete its record', bg: 'Изтрий записа ѝ' },
    toOrder: { en: 'The order', bg: 'Поръчката' },
    lookFirst: {
      en: 'The order may have been sent, and be recorded. Look for it first: another one would be a second tax record.',
      bg: 'Поръчката може да е изпратена и записана. Първо я потърсете: още една би била втори данъчен запис.',
    },
    find: { en: 'Look for the order', bg: 'Потърси поръчката' },
  },
});
