import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, countText } from '../../contract/plural.ts';

/** What became of a webhook that was accepted. */
export const webhookOutcomes: Readonly<Record<string, LocalizedText>> = {
  merged: { en: 'processed', bg: 'обработено' },
  duplicate: { en: 'a repeat: nothing new', bg: 'повторение: нищо ново' },
  ignored: { en: 'needs nothing', bg: 'не изисква нищо' },
  warning: { en: 'a warning', bg: 'предупреждение' },
  closed: { en: 'says that the store is closed', bg: 'казва, че магазинът е затворен' },
  privacy: { en: 'a request about a buyer’s data', bg: 'искане за данни на купувач' },
  review: { en: 'can’t be read: in review', bg: 'не може да се прочете: за проверка' },
  replayed: { en: 'replayed', bg: 'прочетено отново' },
  dismissed: { en: 'dismissed: needs nothing', bg: 'отхвърлено: не изисква нищо' },
  released: { en: 'processed later', bg: 'обработено по-късно' },
  quarantined: { en: 'quarantined: it names another host', bg: 'задържано: назовава друг адрес' },
};

/** The webhooks of all stores, and one of them. */
export const webhooks = messages({
  title: { en: 'Webhooks', bg: 'Известия' },
  all: { en: 'All webhooks', bg: 'Всички известия' },
  lead: {
    en: 'What stores sent, and what was read from them, the newest first; times are those of Sofia. Of refused ones the last 50 of each store are kept, without their payloads.',
    bg: 'Какво изпратиха магазините и какво е прочетено от тях, най-новото отгоре; часовете са по софийско време. От отказаните се пазят последните 50 на магазин, без съдържанието им.',
  },
  store: { en: 'Store', bg: 'Магазин' },
  everyStore: { en: 'every store', bg: 'всички магазини' },
  topic: { en: 'Topic', bg: 'Тема' },
  everyTopic: { en: 'every topic', bg: 'всички теми' },
  answer: { en: 'Answer', bg: 'Отговор' },
  everyAnswer: { en: 'every answer', bg: 'всички отговори' },
  show: { en: 'Show', bg: 'Покажи' },
  clear: { en: 'Clear', bg: 'Изчисти' },
  none: {
    atAll: {
      en: 'No webhook has come yet. Each will be here with our answer, what it changed, and its order.',
      bg: 'Още не е дошло известие. Тук всяко ще е с нашия отговор, с промененото и с поръчката си.',
    },
    filtered: { en: 'No webhook matches.', bg: 'Няма такова известие.' },
  },
  hits: {
    en: (n: number, most: number): string => `${n > most ? 'More than ' : ''}${counted.en(Math.min(n, most), 'webhook', 'webhooks')}`,
    bg: (n: number, most: number) => `${n > most ? 'Повече от ' : ''}${counted.bg(Math.min(n, most), 'известие', 'известия')}`,
  },
  noneHere: {
    en: (looked: number): string => `None among the ${countText(looked, 'en')} that were looked through. The others are on the next page.`,
    bg: (looked: number) => `Няма сред прегледаните ${countText(looked, 'bg')}. Останалите са на следващата страница.`,
  },
  read: { en: 'read', bg: 'прочетено' },
  again: { en: 'replayed', bg: 'повторно' },
  one: { en: (topic: string): string => `Webhook ${topic}`.trim(), bg: (topic: string) => `Известие ${topic}`.trim() },
  oneRead: { en: 'Read from the store', bg: 'Прочетено от магазина' },
  facts: {
    came: { en: 'Received', bg: 'Получено' },
    answer: { en: 'Our answer', bg: 'Нашият отговор' },
    state: { en: 'Result', bg: 'Резултат' },
    order: { en: 'Order', bg: 'Поръчка' },
    id: { en: 'Our id', bg: 'Наш идентификатор' },
    platformId: { en: 'The platform’s id', bg: 'Идентификатор на платформата' },
    from: { en: 'From', bg: 'От' },
  },
  took: {
    en: (ms: number): string => `after ${countText(ms, 'en')} ms`,
    bg: (ms: number) => `след ${countText(ms, 'bg')} ms`,
  },
  noAnswer: { en: 'none: it was no request of the store', bg: 'няма: не е заявка от магазина' },
  headers: {
    title: { en: 'Headers', bg: 'Заглавки' },
    lead: { en: 'Only these are kept; signatures and keys never are.', bg: 'Пазят се само тези; подписи и ключове – никога.' },
    none: { en: 'No headers are kept of it.', bg: 'Заглавките му не се пазят.' },
  },
  change: {
    title: { en: 'What it changed', bg: 'Какво промени' },
    fact: { en: 'Of the order', bg: 'За поръчката' },
    before: { en: 'Before', bg: 'Преди' },
    after: { en: 'After', bg: 'След' },
    nothing: { en: 'Nothing of the order.', bg: 'Нищо по поръчката.' },
    unknown: {
      en: 'This can’t be worked out any more: the payload of an earlier webhook of the order is gone, or was never kept.',
      bg: 'Вече не може да се установи: съдържанието на по-ранно известие за поръчката е изтрито или не е пазено.',
    },
    noOrder: { en: 'It is about no order that is known.', bg: 'Не е за позната поръчка.' },
    notKnown: { en: 'not known', bg: 'не е известно' },
    facts: {
      status: { en: 'Status in the store', bg: 'Състояние в магазина' },
      payment: { en: 'Payment', bg: 'Плащане' },
      lifecycle: { en: 'Order', bg: 'Поръчка' },
      kept: { en: 'Paid, less refunds', bg: 'Платено без върнатото' },
      refunds: { en: 'Refunds', bg: 'Връщания' },
      record: { en: 'Expected record', bg: 'Очакван запис' },
    },
    values: {
      unpaid: { en: 'not paid', bg: 'неплатена' },
      'on-delivery': { en: 'cash on delivery', bg: 'наложен платеж' },
      outstanding: { en: 'partly unpaid', bg: 'отчасти неплатена' },
      paid: { en: 'paid', bg: 'платена' },
      draft: { en: 'draft', bg: 'чернова' },
      live: { en: 'active', bg: 'активна' },
      cancelled: { en: 'cancelled', bg: 'отказана' },
      trashed: { en: 'deleted', bg: 'изтрита' },
    } as Readonly<Record<string, LocalizedText>>,
  },
  followed: {
    title: { en: 'Requests that followed', bg: 'Заявки след него' },
    none: { en: 'No request to the compliance service followed.', bg: 'След него няма заявка до услугата за отчитане.' },
  },
  payload: {
    title: { en: 'Payload', bg: 'Съдържание' },
    refused: { en: 'Payloads of refused webhooks are not kept.', bg: 'Съдържанието на отказани известия не се пази.' },
    gone: {
      en: 'It is not kept: its time is over, it was erased, or webhooks of this kind are kept without it.',
      bg: 'Не се пази: срокът му е изтекъл, заличено е или при този вид известия не се пази.',
    },
    cutGone: {
      en: 'It was not kept: when it was recorded, the store had sent more on that day than is kept (KEEP_BODIES_MB). It can’t be replayed; save the order in the store, which sends it again.',
      bg: 'Не е запазено: когато беше записано, магазинът вече беше изпратил за деня повече, отколкото се пази (KEEP_BODIES_MB). Не може да се прочете отново; запазете поръчката в магазина и той ще я изпрати пак.',
    },
    cutKept: {
      en: 'Only what is used of it was kept: the store had sent more on that day than is kept (KEEP_BODIES_MB).',
      bg: 'Запазено е само използваното от него: за деня магазинът беше изпратил повече, отколкото се пази (KEEP_BODIES_MB).',
    },
    show: { en: 'View payload', bg: 'Покажи съдържанието' },
    showLead: {
      en: 'It may hold the buyer’s name and address. Viewing is logged.',
      bg: 'Може да съдържа името и адреса на купувача. Прегледът се записва.',
    },
    raw: { en: 'As it was sent, to copy', bg: 'Както е изпратено, за копиране' },
    cut: { en: (n: number): string => `… and ${countText(n, 'en')} more`, bg: (n: number) => `… и още ${countText(n, 'bg')}` },
    notText: { en: 'It is no text.', bg: 'Не е текст.' },
  },
  replay: {
    show: { en: 'Replay…', bg: 'Прочети отново…' },
    title: { en: 'Replay a webhook', bg: 'Повторно четене на известие' },
    lead: {
      en: 'It is read once more as this version reads it, with its own time of arrival. Nothing has been done yet; this is what it would do:',
      bg: 'Чете се още веднъж така, както го чете тази версия, със своето време на пристигане. Още нищо не е направено; ето какво би станало:',
    },
    cut: {
      en: 'Only what was read when it came is left of this one: it is taken over as it was read then. What a later version would read differently stays as it was.',
      bg: 'От това известие е запазено само прочетеното при пристигането: взема се така, както е прочетено тогава. Онова, което по-нова версия би прочела другояче, остава същото.',
    },
    would: {
      known: { en: 'Nothing: all that it says of the order is known already.', bg: 'Нищо: всичко, което казва за поръчката, вече е известно.' },
      decided: { en: 'The order changes and is decided again.', bg: 'Поръчката се променя и се преценява отново.' },
      facts: { en: 'The order changes; its record stays as it is.', bg: 'Поръчката се променя; записът ѝ остава същият.' },
      made: {
        en: (id: string): string => `A new order is made, with the store’s id ${id}.`,
        bg: (id: string) => `Създава се нова поръчка с идентификатор ${id} в магазина.`,
      },
      unreadable: { en: 'It still can’t be read, so it can’t be replayed:', bg: 'Още не може да се прочете, затова не може да се повтори:' },
      ignored: { en: 'Nothing: it is not about an order that is recorded.', bg: 'Нищо: не е за поръчка, която се отчита.' },
      'refund-deleted': {
        en: 'A refund is taken back: its order may be recorded with the full amount again.',
        bg: 'Връщане на пари се отменя: поръчката може отново да се запише с цялата сума.',
      },
      warning: { en: 'A warning about the store is shown again.', bg: 'Предупреждение за магазина се показва отново.' },
      closed: { en: 'The store is disconnected, unless it still lets the app in.', bg: 'Магазинът се изключва, освен ако още допуска приложението.' },
      granted: { en: 'What the app may do in the store is noted again.', bg: 'Отбелязва се отново какво може приложението в магазина.' },
      privacy: { en: 'Personal data is erased or handed out, as it asks.', bg: 'Лични данни се заличават или предоставят, както се иска.' },
    },
    asks: { en: 'This deletes, ends or erases something.', bg: 'Това изтрива, прекратява или заличава нещо.' },
    sure: { en: 'Yes, replay it', bg: 'Да, прочети го отново' },
    notSure: { en: 'Tick the box to confirm.', bg: 'Отбележете квадратчето, за да потвърдите.' },
    do: { en: 'Replay', bg: 'Прочети отново' },
  },
  dismiss: {
    title: { en: 'Dismiss', bg: 'Отхвърляне' },
    lead: { en: 'Use this if it isn’t about a sale, or if you recorded its order by hand.', bg: 'Ако не е за продажба или сте записали поръчката му на ръка.' },
    note: { en: 'Why nothing is needed', bg: 'Защо не е нужно нищо' },
    noteMissing: { en: 'Say why: it is kept in Activity.', bg: 'Кажете защо: остава в „Действия“.' },
    do: { en: 'Dismiss', bg: 'Отхвърли' },
  },
});
