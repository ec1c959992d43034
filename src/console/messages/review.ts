import { messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';
import type { LocalizedText } from '../../contract/said.ts';

/** What waits for a person, and the page of one issue. */
export const review = messages({
  title: { en: 'Needs review', bg: 'Чакат човек' },
  empty: { en: 'Nobody waits for you.', bg: 'Никой не ви чака.' },
  emptyMore: {
    en: 'What can’t be decided without a person appears here, with the issue and its answers.',
    bg: 'Каквото не може да се реши без човек, се появява тук, с въпроса и възможните отговори.',
  },
  lead: {
    en: (count: number, issues: number): string =>
      `${orderCount.en(count)} ${form.en(count, 'waits', 'wait')} for ${form.en(issues, 'one answer', `${issues} answers`)}.`,
    bg: (count: number, issues: number) =>
      `${orderCount.bg(count)} ${form.bg(count, 'чака', 'чакат')} ${form.bg(issues, 'един отговор', `${issues} отговора`)}.`,
  },
  columns: {
    issue: { en: 'Issue', bg: 'Въпрос' },
    store: { en: 'Store', bg: 'Магазин' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    sum: { en: 'Sum', bg: 'Сума' },
    oldest: { en: 'Oldest', bg: 'Най-стара' },
    month: { en: 'Month at risk', bg: 'Застрашен месец' },
    verb: { en: 'What to do', bg: 'Какво да се направи' },
  },
  atRisk: {
    en: (count: number, month: string, days: number): string => {
      if (days < 0) return `${count} of ${month}, the term is over`;
      if (days === 0) return `${count} of ${month}, file due today`;
      return `${count} of ${month}, file due in ${counted.en(days, 'day', 'days')}`;
    },
    bg: (count: number, month: string, days: number) => {
      if (days < 0) return `${count} от ${month}, срокът е изтекъл`;
      if (days === 0) return `${count} от ${month}, срокът за файла е днес`;
      return `${count} от ${month}, до срока за файла: ${counted.bg(days, 'ден', 'дни')}`;
    },
  },
  noRisk: { en: 'none: recorded as they were', bg: 'няма: записани са, каквито бяха' },
  verbs: {
    choose: { en: 'Choose', bg: 'Изберете' },
    compare: { en: 'Compare', bg: 'Сравнете' },
    look: { en: 'Look', bg: 'Вижте' },
    say: { en: 'Say which', bg: 'Кажете коя е' },
    whose: { en: 'Say whose', bg: 'Кажете чии са' },
  },
  webhookCount: {
    en: (count: number): string => counted.en(count, 'webhook', 'webhooks'),
    bg: (count: number) => counted.bg(count, 'известие', 'известия'),
  },
  summary: {
    en: (count: number, store: string): string => `${orderCount.en(count)} of ${store}`,
    bg: (count: number, store: string) => `${orderCount.bg(count)} на ${store}`,
  },
  oldest: { en: 'the oldest of', bg: 'най-старата е от' },
  answered: {
    en: 'Nobody is asked this any more: its orders were decided, or something new came of them.',
    bg: 'Това вече не се пита: поръчките са решени или за тях е дошло нещо ново.',
  },
  answeredTitle: { en: 'This is answered', bg: 'Вече има отговор' },
  back: { en: 'Everything that needs review', bg: 'Всичко, което чака човек' },
  choice: {
    payment: { en: (gateway: string): string => `What is “${gateway}”?`, bg: (gateway: string) => `Какво е „${gateway}“?` },
    type: { en: 'Payment type in the tax record', bg: 'Вид плащане в данъчния запис' },
    choose: { en: 'Choose…', bg: 'Изберете…' },
    name: { en: 'Name of the provider', bg: 'Име на доставчика' },
    nameHint: {
      en: 'Needed for a payment service, with its registration number, such as “IE3206488LH Stripe”; for a virtual POS, its number.',
      bg: 'Нужно е за доставчик на платежни услуги, заедно с регистрационния му номер, например „IE3206488LH Stripe“; за виртуален ПОС – номерът му.',
    },
    types: {
      PAYMENT_PROCESSOR: { en: 'Payment service (PayPal, Stripe, ePay…)', bg: 'Доставчик на платежни услуги (PayPal, Stripe, ePay…)' },
      VIRTUAL_POS: { en: 'Card, by a virtual POS of the merchant’s bank', bg: 'Карта, през виртуален ПОС на банката на търговеца' },
      POSTAL_PAYMENT: { en: 'Postal money order, cash on delivery paid by post', bg: 'Наложен платеж с пощенски паричен превод' },
      BANK_TRANSFER: { en: 'Bank transfer', bg: 'Банков превод' },
      FISCAL_RECEIPT: { en: 'A fiscal receipt is issued (such as by the courier)', bg: 'Издава се фискален бон (например от куриера)' },
      OTHER: { en: 'Other', bg: 'Друго' },
    } as Readonly<Record<string, LocalizedText>>,
    vat: { en: (rate: string): string => `Which group is ${rate} %?`, bg: (rate: string) => `Коя е групата на ${rate} %?` },
    group: { en: 'VAT group', bg: 'Данъчна група' },
    groups: {
      GROUP_A: { en: 'А: exempt, 0 %, or the merchant is not registered', bg: 'А: освободени доставки, 0 % или търговец без регистрация' },
      GROUP_B: { en: 'Б: 20 %', bg: 'Б: 20 %' },
      GROUP_C: { en: 'В: 20 %, liquid fuels', bg: 'В: 20 %, течни горива' },
      GROUP_D: { en: 'Г: 9 %', bg: 'Г: 9 %' },
    } as Readonly<Record<string, LocalizedText>>,
    contained: { en: 'Which VAT do the prices of the store contain?', bg: 'Какъв ДДС съдържат цените на магазина?' },
    containedLabel: { en: 'VAT rate in percent, such as 20', bg: 'Ставка в проценти, например 20' },
    cards: { en: 'Is the sale of a gift card a sale?', bg: 'Продажба ли е продажбата на ваучер за подарък?' },
    cardsLabel: { en: 'A gift card is', bg: 'Ваучерът е' },
    cardKinds: {
      ignore: { en: 'no sale: what is bought with it later is', bg: 'не е продажба: продажба е купеното с него' },
      record: { en: 'a sale: what is paid with it later is taken off', bg: 'продажба: платеното с него после се приспада' },
    } as Readonly<Record<string, LocalizedText>>,
    missing: { en: 'Choose one.', bg: 'Изберете едно.' },
    nameMissing: { en: 'A payment service needs its name.', bg: 'Доставчикът на платежни услуги трябва да има име.' },
    badRate: { en: 'A rate in percent, such as 20 or 9.', bg: 'Ставка в проценти, например 20 или 9.' },
    unknown: { en: 'This is none of the choices.', bg: 'Това не е сред възможностите.' },
    none: { en: 'nothing', bg: 'нищо' },
  },
  elsewhere: {
    en: (stores: readonly string[]): string => `${form.en(stores.length, 'Another store', `${stores.length} other stores`)} (${stores.join(', ')}) chose:`,
    bg: (stores: readonly string[]) =>
      `${form.bg(stores.length, 'Друг магазин', `${stores.length} други магазина`)} (${stores.join(', ')}) ${form.bg(stores.length, 'избра', 'избраха')}:`,
  },
  check: { en: 'Check on one order', bg: 'Проверка с една поръчка' },
  checkLead: {
    en: (number: string, others: number): string =>
      others === 0
        ? `Order ${number} is decided again.`
        : `First order ${number} alone is decided again. If it goes well, ${form.en(others, 'the other one follows', `the other ${others} follow`)} when you say so; if not, it is said here why, and nothing else is sent.`,
    bg: (number: string, others: number) =>
      others === 0
        ? `Поръчка ${number} се преценява отново.`
        : `Първо се преценява отново само поръчка ${number}. Ако мине добре, ${form.bg(others, 'другата тръгва', `другите ${others} тръгват`)}, когато кажете; ако не, тук пише защо и не се изпраща нищо друго.`,
  },
  rest: {
    en: (count: number): string => form.en(count, 'Release the other one', `Release the other ${count}`),
    bg: (count: number) => form.bg(count, 'Пусни и другата', `Пусни и другите ${count}`),
  },
  restLead: {
    en: 'Each is decided again, by what is set now. You may leave the page meanwhile.',
    bg: 'Всяка се преценява отново по сегашните настройки. През това време можете да напуснете страницата.',
  },
  result: {
    title: { en: 'The order that went first', bg: 'Поръчката, която тръгна първа' },
    underWay: { en: (number: string): string => `Order ${number} is being decided…`, bg: (number: string) => `Поръчка ${number} се преценява…` },
    recorded: { en: (number: string): string => `Order ${number} is recorded`, bg: (number: string) => `Поръчка ${number} е записана` },
    as: { en: 'as', bg: 'като' },
    removed: {
      en: (number: string): string => `The record of order ${number} was deleted: the money went back.`,
      bg: (number: string) => `Записът на поръчка ${number} е изтрит: парите са върнати.`,
    },
    nothing: { en: (number: string): string => `Order ${number} needs no record.`, bg: (number: string) => `За поръчка ${number} не се изисква запис.` },
    refused: {
      en: (number: string): string => `The compliance service refused order ${number}:`,
      bg: (number: string) => `Услугата за отчитане отказа поръчка ${number}:`,
    },
    refusedQuietly: {
      en: (number: string): string => `The compliance service refused order ${number}. Its words may name a buyer, so your role does not see them.`,
      bg: (number: string) => `Услугата за отчитане отказа поръчка ${number}. Думите ѝ може да назовават купувач, затова ролята ви не ги вижда.`,
    },
    asked: { en: (number: string): string => `Order ${number} still waits for an answer:`, bg: (number: string) => `Поръчка ${number} още чака отговор:` },
    lost: {
      en: (number: string): string => `No answer came for order ${number}: it is not known whether it is recorded.`,
      bg: (number: string) => `За поръчка ${number} не дойде отговор: не се знае дали е записана.`,
    },
    left: {
      en: (number: string): string => `Order ${number} was not decided again yet.`,
      bg: (number: string) => `Поръчка ${number} още не е преценена отново.`,
    },
    nothingElse: { en: 'Nothing else was sent.', bg: 'Нищо друго не е изпратено.' },
    look: { en: 'Look at the order', bg: 'Към поръчката' },
  },
  ordersTitle: { en: 'The orders', bg: 'Поръчките' },
  ordersCut: {
    en: (shown: number, all: number): string => `The newest ${shown} of ${all}.`,
    bg: (shown: number, all: number) => `Най-новите ${shown} от ${all}.`,
  },
  orderColumns: {
    order: { en: 'Order', bg: 'Поръчка' },
    made: { en: 'Placed', bg: 'Направена' },
    total: { en: 'Total', bg: 'Сума' },
    recorded: { en: 'Recorded', bg: 'Записана' },
    why: { en: 'Why', bg: 'Защо' },
    verb: { en: 'What to do', bg: 'Какво да се направи' },
  },
  isRecorded: { en: 'yes, as it was', bg: 'да, каквато беше' },
  notRecorded: { en: 'no', bg: 'не' },
  noOrders: { en: 'None.', bg: 'Няма.' },
  openOrder: { en: 'Resolve, or look', bg: 'Уредете или вижте' },
  mismatch: {
    title: { en: 'Lines next to what was paid', bg: 'Редовете до платеното' },
    line: { en: 'Line', bg: 'Ред' },
    amount: { en: 'Amount', bg: 'Сума' },
    sum: { en: 'The lines come to', bg: 'Редовете дават' },
    paid: { en: 'Paid, before refunds', bg: 'Платено, преди връщания' },
    missing: { en: (amount: string): string => `The lines lack ${amount}.`, bg: (amount: string) => `На редовете не достигат ${amount}.` },
    above: { en: (amount: string): string => `The lines are ${amount} above what was paid.`, bg: (amount: string) => `Редовете са с ${amount} над платеното.` },
    equal: {
      en: 'They agree by themselves: a refund or gift card is what does not. The words beside the order say which.',
      bg: 'Сами по себе си съвпадат: разликата идва от върната сума или ваучер. Думите при поръчката казват кое.',
    },
  },
  apart: {
    other: { en: 'A sale of its own', bg: 'Отделна продажба' },
    same: { en: 'The same sale', bg: 'Същата продажба' },
    keep: { en: 'Still a sale', bg: 'Още е продажба' },
    remove: { en: 'No sale: delete its record', bg: 'Не е продажба: изтрий записа' },
    why: { en: 'Why', bg: 'Защо' },
    whyMissing: { en: 'Say why: it goes into the audit log.', bg: 'Кажете защо: остава в дневника на действията.' },
  },
  stale: {
    chosen: { en: (what: string, value: string): string => `${what}: ${value}`, bg: (what: string, value: string) => `${what}: ${value}` },
    gone: { en: 'Nobody is asked this any more.', bg: 'Това вече не се пита.' },
  },
  proposal: {
    title: { en: (by: string): string => `${by} proposes an answer`, bg: (by: string) => `${by} предлага отговор` },
    inList: { en: (by: string, answer: string): string => `${by} proposes: ${answer}`, bg: (by: string, answer: string) => `${by} предлага: ${answer}` },
    quote: { en: (text: string): string => `“${text}”`, bg: (text: string) => `„${text}“` },
    waits: { en: 'It waits for an operator or owner.', bg: 'Чака оператор или собственик.' },
    changed: {
      en: (now: string): string => `Since then somebody changed the settings. By now: ${now}`,
      bg: (now: string) => `След това някой е променил настройките. Сега: ${now}`,
    },
    declined: {
      en: (who: string, by: string, answer: string): string => `${who} declined what ${by} proposed (${answer}),`,
      bg: (who: string, by: string, answer: string) => `${who} отхвърли предложеното от ${by} (${answer}),`,
    },
    accepted: {
      en: (who: string, by: string, answer: string): string => `${who} took what ${by} proposed (${answer}),`,
      bg: (who: string, by: string, answer: string) => `${who} прие предложеното от ${by} (${answer}),`,
    },
    acceptLead: {
      en: 'The settings become what is proposed, and one order is decided by them; nothing else is sent.',
      bg: 'Настройките стават такива, каквито са предложени, и една поръчка се преценява по тях; нищо друго не се изпраща.',
    },
    accept: { en: 'Take it.', bg: 'Приемам.' },
    decline: { en: 'Decline…', bg: 'Отхвърляне…' },
    declineNow: { en: 'Decline it', bg: 'Отхвърли' },
    word: { en: 'Why not, for the person who proposed it', bg: 'Защо не – за този, който го е предложил' },
    wordMissing: { en: 'Say why: the person who proposed it reads it here.', bg: 'Напишете защо: който го е предложил, ще го прочете тук.' },
    note: { en: 'Why, for anyone who decides', bg: 'Защо – за този, който решава' },
    lead: {
      en: 'Your answer is kept as a proposal. An operator takes it, after one order was checked by it, or says why not; you read here what became of it.',
      bg: 'Отговорът ви се пази като предложение. Оператор го приема, след като една поръчка бъде проверена по него, или казва защо не; тук ще прочетете какво е станало.',
    },
    propose: { en: 'Propose it', bg: 'Предложи' },
    states: {
      open: { en: 'It waits.', bg: 'Чака.' },
      changed: { en: 'The settings were changed since.', bg: 'Настройките са променени междувременно.' },
      answered: { en: 'Nobody is asked this any more.', bg: 'Това вече не се пита.' },
      accepted: { en: 'It was taken.', bg: 'Прието е.' },
      declined: { en: 'It was declined.', bg: 'Отхвърлено е.' },
      replaced: { en: 'A newer proposal took its place.', bg: 'По-ново предложение го замени.' },
    },
    todayTitle: { en: 'Proposed answers', bg: 'Предложени отговори' },
    look: { en: 'Look', bg: 'Вижте' },
  },
  webhooks: {
    title: { en: 'Webhooks that can’t be read', bg: 'Известия, които не могат да се прочетат' },
    lead: {
      en: 'Their signature is right, but what they say is not understood, so their orders may not be known. After an upgrade, replay them; dismiss those that need nothing.',
      bg: 'Подписът им е верен, но съдържанието не се разбира и поръчките им може да не са познати. След обновяване ги прочетете отново; отхвърлете тези, за които не е нужно нищо.',
    },
    empty: { en: 'Every webhook could be read.', bg: 'Всички известия са прочетени.' },
    columns: {
      arrived: { en: 'Arrived', bg: 'Пристигна' },
      store: { en: 'Store', bg: 'Магазин' },
      topic: { en: 'Topic', bg: 'Тема' },
      why: { en: 'Why', bg: 'Защо' },
      verb: { en: 'What to do', bg: 'Какво да се направи' },
    },
    open: { en: 'Look', bg: 'Вижте' },
    one: { en: 'A webhook that can’t be read', bg: 'Известие, което не може да се прочете' },
    facts: {
      arrived: { en: 'Arrived', bg: 'Пристигна' },
      store: { en: 'Store', bg: 'Магазин' },
      topic: { en: 'Topic', bg: 'Тема' },
      id: { en: 'Its id', bg: 'Идентификатор' },
      words: { en: 'What is wrong', bg: 'Какво не е наред' },
      state: { en: 'What became of it', bg: 'Какво стана с него' },
      body: { en: 'Its body', bg: 'Съдържанието' },
    },
    kept: { en: 'kept', bg: 'пази се' },
    gone: {
      en: 'gone: its time is over, or it was erased. Save the order in the store, which sends it again.',
      bg: 'няма го: срокът му е изтекъл или е заличено. Запазете поръчката в магазина, който ще го изпрати отново.',
    },
    outcomes: {
      review: { en: 'it waits for a person', bg: 'чака човек' },
      dismissed: { en: 'dismissed', bg: 'отхвърлено' },
      replayed: { en: 'read again', bg: 'прочетено отново' },
    } as Readonly<Record<string, LocalizedText>>,
    replay: { en: 'Replay', bg: 'Прочети отново' },
    replayLead: {
      en: 'Reads it once more, as this release reads it. If it is understood, its order goes on.',
      bg: 'Чете го още веднъж така, както го чете тази версия. Ако го разбере, поръчката му продължава.',
    },
    dismiss: { en: 'Dismiss', bg: 'Отхвърли' },
    dismissLead: { en: 'If it is of no sale, or its order was recorded by hand.', bg: 'Ако не е за продажба или поръчката му е записана на ръка.' },
    note: { en: 'Why nothing is needed', bg: 'Защо не е нужно нищо' },
    noteMissing: { en: 'Say why: it goes into the audit log.', bg: 'Кажете защо: остава в дневника на действията.' },
    show: { en: 'Show the body', bg: 'Покажи съдържанието' },
    showLead: {
      en: 'It may hold the buyer’s name and address. That you looked goes into the audit log.',
      bg: 'Може да съдържа името и адреса на купувача. Остава записано, че сте го видели.',
    },
    bodyTitle: { en: 'The body, as the store sent it', bg: 'Съдържанието, както го изпрати магазинът' },
    notText: { en: 'It is no text.', bg: 'Не е текст.' },
  },
  hosts: {
    title: { en: 'Whose are these webhooks?', bg: 'Чии са тези известия?' },
    lead: {
      en: 'They are signed with the secret of a store, but name another host: that of a copy of the site, or the store moved there. They are quarantined until you say it.',
      bg: 'Подписани са с тайната на магазин, но назовават друг адрес: копие на сайта или нов адрес на магазина. Задържани са, докато не кажете.',
    },
    empty: { en: 'No webhook is quarantined.', bg: 'Няма задържани известия.' },
    facts: {
      store: { en: 'Store', bg: 'Магазин' },
      quarantined: { en: 'Quarantined webhooks', bg: 'Задържани известия' },
      first: { en: 'First', bg: 'Първо' },
      last: { en: 'Last', bg: 'Последно' },
    },
    ours: { en: 'It is this store’s', bg: 'На този магазин е' },
    oursLead: {
      en: 'The store moved there, or has two addresses: what was quarantined goes on, and its webhooks count from now on.',
      bg: 'Магазинът е преместен там или има два адреса: задържаното продължава и известията оттам вече се броят.',
    },
    notOurs: { en: 'It is not this store’s', bg: 'Не е на този магазин' },
    notOursLead: {
      en: 'A copy for trying things out: what was quarantined is dropped, and later ones are answered and counted, but not kept.',
      bg: 'Копие за опити: задържаното се изхвърля, а следващите се приемат и броят, но не се пазят.',
    },
  },
});
