import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';

/** What waits for a person, and the page of one issue. */
export const review = messages({
  title: { en: 'Needs review', bg: 'За проверка' },
  empty: { en: 'Nothing is waiting for you.', bg: 'Нищо не ви чака.' },
  emptyMore: {
    en: 'What can’t be decided without a person appears here, with the issue and its answers.',
    bg: 'Каквото не може да се реши без човек, се появява тук, с въпроса и възможните отговори.',
  },
  lead: {
    en: (count: number, unread: number, issues: number): string => {
      const what = [...(count === 0 ? [] : [orderCount.en(count)]), ...(unread === 0 ? [] : [counted.en(unread, 'webhook', 'webhooks')])];
      return `${what.join(' and ')} ${form.en(count + unread, 'is', 'are')} waiting for ${form.en(issues, 'one decision', `${issues} decisions`)}.`;
    },
    bg: (count: number, unread: number, issues: number) => {
      const what = [...(count === 0 ? [] : [orderCount.bg(count)]), ...(unread === 0 ? [] : [counted.bg(unread, 'известие', 'известия')])];
      return `${what.join(' и ')} ${form.bg(count + unread, 'чака', 'чакат')} ${form.bg(issues, 'едно решение', `${issues} решения`)}.`;
    },
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
      const missing = `${count} missing from ${month}’s file`;
      if (days < 0) return `${missing}, overdue`;
      return days === 0 ? `${missing}, due today` : `${missing}, due in ${counted.en(days, 'day', 'days')}`;
    },
    bg: (count: number, month: string, days: number) => {
      const missing = `${counted.bg(count, 'поръчка липсва', 'поръчки липсват')} във файла за ${month}`;
      if (days < 0) return `${missing}, срокът е изтекъл`;
      return days === 0 ? `${missing}, срокът е днес` : `${missing}, срок след ${counted.bg(days, 'ден', 'дни')}`;
    },
  },
  assign: {
    title: { en: 'Assign or snooze', bg: 'Възложи или отложи' },
    who: { en: 'Who looks after it', bg: 'Кой се занимава' },
    nobody: { en: 'nobody', bg: 'никой' },
    note: { en: 'Note', bg: 'Бележка' },
    snooze: { en: 'Snooze', bg: 'Отложи' },
    no: { en: 'no', bg: 'не' },
    snoozes: {
      tomorrow: { en: 'until tomorrow', bg: 'до утре' },
      week: { en: 'until next week', bg: 'до следващата седмица' },
      day: { en: 'until a day', bg: 'до дата' },
    },
    day: { en: 'Until', bg: 'До' },
    latest: {
      en: (day: string): string => `${day} at the latest, for the month’s file. It still counts in the status and in alerts.`,
      bg: (day: string) => `Най-късно до ${day} заради файла за месеца. Остава в състоянието и в предупрежденията.`,
    },
    verb: { en: 'Save', bg: 'Запази' },
    me: { en: 'I look after it', bg: 'Аз се занимавам' },
    until: { en: (day: string): string => `snoozed until ${day}`, bg: (day: string) => `отложено до ${day}` },
    some: { en: (n: number): string => `${n} snoozed`, bg: (n: number) => counted.bg(n, 'отложена', 'отложени') },
    snoozed: { en: 'Snoozed', bg: 'Отложени' },
    everybody: { en: 'Everybody’s', bg: 'На всички' },
    mine: { en: 'Mine', bg: 'Моите' },
    noneMine: { en: 'Nothing is assigned to you.', bg: 'Нищо не ви е възложено.' },
  },
  noRisk: { en: 'None – the earlier record is kept', bg: 'Няма – предишният запис остава в сила' },
  verbs: {
    choose: { en: 'Choose', bg: 'Избери' },
    compare: { en: 'Compare', bg: 'Сравни' },
    look: { en: 'Review', bg: 'Прегледай' },
    confirm: { en: 'Check and confirm', bg: 'Провери и потвърди' },
    say: { en: 'Choose', bg: 'Избери' },
    whose: { en: 'Identify sender', bg: 'Посочи магазина' },
  },
  webhookCount: {
    en: (count: number): string => counted.en(count, 'webhook', 'webhooks'),
    bg: (count: number) => counted.bg(count, 'известие', 'известия'),
  },
  summary: {
    en: (count: number): string => `${orderCount.en(count)} of`,
    bg: (count: number) => `${orderCount.bg(count)} на`,
  },
  oldest: { en: 'oldest:', bg: 'най-стара:' },
  answered: {
    en: 'Its orders were decided in the meantime, or something new arrived for them.',
    bg: 'Поръчките междувременно са решени или за тях е дошло нещо ново.',
  },
  answeredTitle: { en: 'This is decided', bg: 'Вече е решено' },
  back: { en: 'Everything that needs review', bg: 'Всичко за проверка' },
  choice: {
    payment: { en: (gateway: string): string => `What is “${gateway}”?`, bg: (gateway: string) => `Какво е „${gateway}“?` },
    type: { en: 'Payment type in the tax record', bg: 'Вид плащане в данъчния запис' },
    choose: { en: 'Choose…', bg: 'Изберете…' },
    name: { en: 'Name of the provider, or number of the virtual POS', bg: 'Име на доставчика или номер на виртуалния ПОС' },
    nameHint: {
      en: 'Needed for a payment service, with its registration number, such as “IE3206488LH Stripe”; for a virtual POS, its number.',
      bg: 'Нужно е за доставчик на платежни услуги, заедно с регистрационния му номер, например „IE3206488LH Stripe“; за виртуален ПОС – номерът му.',
    },
    types: {
      PAYMENT_PROCESSOR: { en: 'Payment service (PayPal, Stripe, ePay…)', bg: 'Доставчик на платежни услуги (PayPal, Stripe, ePay…)' },
      VIRTUAL_POS: { en: 'Card, by a virtual POS of the merchant’s bank', bg: 'Карта, през виртуален ПОС на банката на търговеца' },
      POSTAL_PAYMENT: { en: 'Postal money order (cash on delivery)', bg: 'Наложен платеж (пощенски превод)' },
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
    posMissing: { en: 'A virtual POS needs its number, which the bank gives.', bg: 'Виртуалният ПОС трябва да има номер; дава го банката.' },
    badRate: { en: 'A rate in percent, such as 20 or 9.', bg: 'Ставка в проценти, например 20 или 9.' },
    unknown: { en: 'This is none of the choices.', bg: 'Това не е сред възможностите.' },
    none: { en: 'nothing', bg: 'нищо' },
  },
  elsewhere: {
    en: (stores: readonly string[]): string => `${form.en(stores.length, 'Another store', `${stores.length} other stores`)} (${stores.join(', ')}) chose:`,
    bg: (stores: readonly string[]) =>
      `${form.bg(stores.length, 'Друг магазин', `${stores.length} други магазина`)} (${stores.join(', ')}) ${form.bg(stores.length, 'избра', 'избраха')}:`,
  },
  check: { en: 'Save and record one order', bg: 'Запази и запиши една поръчка' },
  checkUnset: { en: 'Retry one order', bg: 'Опитай с една поръчка' },
  preview: {
    show: { en: 'Show the record first', bg: 'Покажи записа предварително' },
    title: { en: (number: string): string => `Order ${number}, as it would be recorded`, bg: (number: string) => `Поръчка ${number}, както би била записана` },
    lead: { en: 'Nothing is saved or sent yet.', bg: 'Още нищо не е запазено или изпратено.' },
    paid: { en: (how: string): string => `Paid by: ${how}`, bg: (how: string) => `Плащане: ${how}` },
  },
  checkLead: {
    en: (number: string, others: number): string =>
      others === 0
        ? `We’ll record order ${number}. If it doesn’t work, you’ll see why.`
        : `We’ll record order ${number} first. If it works, release the other ${form.en(others, 'one', String(others))}; if not, you’ll see why, and nothing else is sent.`,
    bg: (number: string, others: number) =>
      others === 0
        ? `Ще запишем поръчка ${number}. Ако не стане, тук ще видите защо.`
        : `Първо ще запишем поръчка ${number}. Ако всичко е наред, пускате и ${form.bg(others, 'другата', `другите ${others}`)}; ако не, тук ще видите защо и нищо друго не се изпраща.`,
  },
  rest: {
    en: (count: number): string => form.en(count, 'Release the other one', `Release the other ${count}`),
    bg: (count: number) => form.bg(count, 'Пусни и другата', `Пусни и другите ${count}`),
  },
  restLead: {
    en: 'Each order is retried with the current settings. You can leave the page meanwhile.',
    bg: 'За всяка поръчка се прави нов опит със сегашните настройки. През това време можете да напуснете страницата.',
  },
  result: {
    title: { en: 'First order', bg: 'Първата поръчка' },
    underWay: { en: (number: string): string => `Order ${number} is in progress…`, bg: (number: string) => `Поръчка ${number} се обработва…` },
    recorded: { en: (number: string): string => `Order ${number} is recorded`, bg: (number: string) => `Поръчка ${number} е записана` },
    document: { en: (number: string): string => `document ${number}`, bg: (number: string) => `документ ${number}` },
    undo: {
      en: 'If this is wrong, change the setting in the store, then record the order anew on its page.',
      bg: 'Ако е грешка, променете настройката на магазина и запишете поръчката наново от нейната страница.',
    },
    removed: {
      en: (number: string): string => `The record of order ${number} was deleted: it is no longer a sale.`,
      bg: (number: string) => `Записът на поръчка ${number} е изтрит: вече не е продажба.`,
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
    asked: { en: (number: string): string => `Order ${number} is still in review:`, bg: (number: string) => `Поръчка ${number} още е за проверка:` },
    lost: {
      en: (number: string): string => `We lost the reply for order ${number}, so we don’t know if it was recorded. Check and confirm.`,
      bg: (number: string) => `Отговорът за поръчка ${number} се изгуби и не знаем дали е записана. Проверете и потвърдете.`,
    },
    left: {
      en: (number: string): string => `Order ${number} has not been retried yet.`,
      bg: (number: string) => `За поръчка ${number} още не е правен нов опит.`,
    },
    nothingElse: { en: 'Nothing else was sent.', bg: 'Нищо друго не е изпратено.' },
    look: { en: 'Open the order', bg: 'Към поръчката' },
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
  isRecorded: { en: 'yes, the earlier record', bg: 'да, предишният запис' },
  notRecorded: { en: 'no', bg: 'не' },
  noOrders: { en: 'None.', bg: 'Няма.' },
  openOrder: { en: 'Open', bg: 'Отвори' },
  mismatch: {
    title: { en: 'Lines next to what was paid', bg: 'Редовете до платеното' },
    line: { en: 'Line', bg: 'Ред' },
    amount: { en: 'Amount', bg: 'Сума' },
    sum: { en: 'The lines come to', bg: 'Редовете дават' },
    paid: { en: 'Paid, before refunds', bg: 'Платено, преди връщания' },
    missing: { en: (amount: string): string => `The lines are ${amount} short.`, bg: (amount: string) => `На редовете не достигат ${amount}.` },
    above: { en: (amount: string): string => `The lines are ${amount} above what was paid.`, bg: (amount: string) => `Редовете са с ${amount} над платеното.` },
    equal: {
      en: 'The lines add up; a refund or gift card causes the difference. The reason beside the order says which.',
      bg: 'Редовете съвпадат; разликата идва от върната сума или ваучер. Причината при поръчката казва кое.',
    },
  },
  apart: {
    other: { en: 'A sale of its own', bg: 'Отделна продажба' },
    same: { en: 'The same sale', bg: 'Същата продажба' },
    keep: { en: 'Still a sale', bg: 'Още е продажба' },
    ours: { en: 'Record it here', bg: 'Да се запише тук' },
    remove: { en: 'No sale: remove the record', bg: 'Не е продажба: изтрий записа' },
    why: { en: 'Note (kept in Activity)', bg: 'Бележка (остава в „Действия“)' },
    whyMissing: { en: 'Write a note: it is kept in Activity.', bg: 'Напишете бележка: тя остава в „Действия“.' },
  },
  stale: {
    chosen: { en: (what: string, value: string): string => `${what}: ${value}`, bg: (what: string, value: string) => `${what}: ${value}` },
    gone: { en: 'It is decided already.', bg: 'Вече е решено.' },
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
      en: (who: string, by: string, answer: string): string => `${who} accepted what ${by} proposed (${answer}),`,
      bg: (who: string, by: string, answer: string) => `${who} прие предложеното от ${by} (${answer}),`,
    },
    acceptLead: {
      en: 'We save the proposed settings and record one order with them; nothing else is sent.',
      bg: 'Запазваме предложените настройки и записваме една поръчка по тях; нищо друго не се изпраща.',
    },
    accept: { en: 'Accept.', bg: 'Приеми.' },
    decline: { en: 'Decline…', bg: 'Отхвърли…' },
    declineNow: { en: 'Decline it', bg: 'Отхвърли' },
    reason: { en: 'Why not, for the person who proposed it', bg: 'Защо не – за този, който го е предложил' },
    reasonMissing: { en: 'Say why: the person who proposed it will read it here.', bg: 'Напишете защо: който го е предложил, ще го прочете тук.' },
    note: { en: 'Why, for anyone who decides', bg: 'Защо – за този, който решава' },
    lead: {
      en: 'Your answer is kept as a proposal. An operator tries it on one order and accepts it, or says why not. You’ll see the result here.',
      bg: 'Отговорът ви се пази като предложение. Оператор го изпробва с една поръчка и го приема или казва защо не. Резултата ще видите тук.',
    },
    propose: { en: 'Propose it', bg: 'Предложи' },
    states: {
      open: { en: 'It waits.', bg: 'Чака.' },
      changed: { en: 'The settings were changed since.', bg: 'Настройките са променени междувременно.' },
      answered: { en: 'It is decided already.', bg: 'Вече е решено.' },
      accepted: { en: 'It was accepted.', bg: 'Прието е.' },
      declined: { en: 'It was declined.', bg: 'Отхвърлено е.' },
      replaced: { en: 'A newer proposal took its place.', bg: 'По-ново предложение го замени.' },
    },
    todayTitle: { en: 'Proposed answers', bg: 'Предложени отговори' },
    look: { en: 'Review', bg: 'Прегледай' },
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
    open: { en: 'Show', bg: 'Покажи' },
  },
  hosts: {
    title: { en: 'Whose are these webhooks?', bg: 'Чии са тези известия?' },
    lead: {
      en: 'They are signed with the secret of a store, but name another host: a copy of the site, or the store moved there. They are quarantined until you say whose they are.',
      bg: 'Подписани са с тайния ключ на магазин, но назовават друг адрес: копие на сайта или нов адрес на магазина. Задържани са, докато не кажете.',
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
