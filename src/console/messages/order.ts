import { type InBoth, type LocalizedText, messages } from '../../contract/messages.ts';
import { requestOutcomes } from './destinations.ts';
import { webhookOutcomes } from './webhooks.ts';

/** One order. */
export const order = messages({
  title: { en: (number: string): string => `Order ${number}`, bg: (number: string) => `Поръчка ${number}` },
  missing: {
    en: 'No order with this address is known, or it is of a store that you don’t see.',
    bg: 'На този адрес няма позната поръчка или тя е на магазин, който не виждате.',
  },
  sentence: {
    recorded: {
      en: (store: string, refunded: string | null, recorded: string): string =>
        `${store} in the store, ${refunded === null ? '' : `${refunded} of it refunded, `}${recorded} recorded.`,
      bg: (store: string, refunded: string | null, recorded: string) =>
        `${store} в магазина, ${refunded === null ? '' : `${refunded} от тях върнати, `}${recorded} записани.`,
    },
    document: { en: (number: string): string => `Document ${number}`, bg: (number: string) => `Документ ${number}` },
    ofMonth: { en: (month: string): string => ` in the file of ${month}`, bg: (month: string) => ` във файла за ${month}` },
    months: {
      open: { en: 'which is open', bg: 'който е отворен' },
      generated: { en: 'whose file is made, not filed', bg: 'чийто файл е изготвен, но не е подаден' },
      filed: { en: 'which is filed', bg: 'който е подаден' },
      rejected: { en: 'which was rejected', bg: 'който е върнат с грешки' },
      nothing: { en: 'marked as nothing to file', bg: 'отбелязан, че няма какво да се подава' },
    } as Readonly<Record<string, LocalizedText>>,
    noMonth: { en: 'in no file yet', bg: 'още в никой файл' },
    review: { en: (why: string): string => `Not recorded: ${why}`, bg: (why: string) => `Не е записана: ${why}` },
    reviewRecorded: { en: (why: string): string => `What is recorded no longer fits: ${why}`, bg: (why: string) => `Записаното вече не отговаря: ${why}` },
    pausedByStoreSince: {
      en: 'We keep trying; after six hours it goes to review. Waiting since',
      bg: 'Опитваме отново автоматично; след шест часа отива за проверка. Чака от',
    },
    queued: { en: 'It is being worked on; this page says when it is done.', bg: 'Обработва се; тази страница ще покаже кога е готово.' },
    waiting: { en: 'It is not paid yet, so nothing is recorded.', bg: 'Още не е платена, затова нищо не е записано.' },
    removed: { en: 'Nothing is recorded: it is no longer a sale.', bg: 'Нищо не е записано: вече не е продажба.' },
    ignored: { en: (why: string): string => `Nothing is recorded: ${why}.`, bg: (why: string) => `Нищо не е записано: ${why}.` },
    resolved: { en: (how: string, who: string): string => `Resolved by ${who}: ${how}.`, bg: (how: string, who: string) => `Уредена от ${who}: ${how}.` },
    unconfirmed: {
      en: 'We lost the reply, so we don’t know if it was recorded. Check in the service and confirm.',
      bg: 'Отговорът се изгуби и не знаем дали е записана. Проверете в услугата и потвърдете.',
    },
  },
  resolvedAs: {
    recorded: { en: 'recorded by hand', bg: 'записана на ръка' },
    'not-a-sale': { en: 'no sale', bg: 'не е продажба' },
    elsewhere: { en: 'recorded elsewhere', bg: 'отчетена другаде' },
    kept: { en: 'still a sale', bg: 'остава продажба' },
    removed: { en: 'no longer a sale', bg: 'вече не е продажба' },
  },
  happened: { en: 'What happened', bg: 'Какво се случи' },
  nothingHappened: { en: 'Nothing is known of it yet.', bg: 'Още нищо не се знае за нея.' },
  event: {
    webhook: {
      en: (topic: string): string => (topic === '' ? 'Webhook' : `Webhook \`${topic}\``),
      bg: (topic: string) => (topic === '' ? 'Известие' : `Известие \`${topic}\``),
    },
    read: { en: 'Read from the store', bg: 'Прочетена от магазина' },
    cut: { en: 'payload cut: the store sent too much that day', bg: 'съкратено съдържание: магазинът изпрати твърде много за деня' },
    outcomes: webhookOutcomes,
    kinds: {
      create: { en: 'Create record', bg: 'Създаване на записа' },
      delete: { en: 'Delete record', bg: 'Изтриване на записа' },
      receipt: { en: 'Receipt', bg: 'Документ за продажба' },
    },
    ends: requestOutcomes,
    noAnswer: { en: 'no answer yet', bg: 'още няма отговор' },
    tries: { en: (n: number): string => `${n} tries`, bg: (n: number) => `${n} опита` },
    request: { en: 'Request and answer', bg: 'Заявка и отговор' },
    sent: { en: 'Sent', bg: 'Изпратено' },
    answer: { en: 'Answer', bg: 'Отговор' },
    status: { en: 'Status', bg: 'Статус' },
    began: { en: 'Sent at', bg: 'Изпратено в' },
    ended: { en: 'Answered at', bg: 'Отговор в' },
    complianceId: { en: 'Compliance id', bg: 'Идентификатор в услугата' },
    outboxJobs: {
      'forget-buyer': { en: 'The service is asked to forget the buyer', bg: 'Услугата е помолена да забрави купувача' },
      delivered: { en: 'The delivery is reported to the service', bg: 'Услугата научава за доставката' },
    } as InBoth<Readonly<Record<string, string>>>,
    outboxJobFails: {
      unsupported: { en: 'the service does not offer it', bg: 'няма как да ѝ се каже' },
      failed: { en: 'it could not be reported', bg: 'не успяхме да ѝ кажем' },
    } as Readonly<Record<string, LocalizedText>>,
    program: { en: 'orderbridge', bg: 'orderbridge' },
    by: { en: (who: string): string => `by ${who}`, bg: (who: string) => `от ${who}` },
    because: { en: (why: string): string => `“${why}”`, bg: (why: string) => `„${why}“` },
    look: { en: 'View webhook', bg: 'Виж известието' },
  },
  sources: {
    title: { en: 'Store, settings, service', bg: 'Магазин, настройки, услуга' },
    caption: {
      en: 'Each line as the store has it, as it should be recorded, and as it is recorded',
      bg: 'Всеки ред според магазина, какъвто трябва да е записан и какъвто е записан',
    },
    line: { en: 'Line', bg: 'Ред' },
    store: { en: 'Store', bg: 'Магазин' },
    should: { en: 'Expected', bg: 'Очаквано' },
    recorded: { en: 'Recorded', bg: 'Записано' },
    total: { en: 'Total', bg: 'Общо' },
    refunded: { en: 'refunded, no line named', bg: 'върнато, без посочен ред' },
    less: {
      en: (refunded: string, paid: string): string => `The store’s amounts are after the refund of ${refunded} from ${paid}.`,
      bg: (refunded: string, paid: string) => `Сумите на магазина са след връщането на ${refunded} от ${paid}.`,
    },
    differs: { en: 'differs', bg: 'различава се' },
    agree: { en: 'Store and record match.', bg: 'Магазинът и записът съвпадат до цент.' },
    agreeSoFar: {
      en: 'So far the record has the same amounts as the store.',
      bg: 'Засега записът има същите суми като магазина.',
    },
    asExpected: { en: 'Nothing is recorded, as expected.', bg: 'Нищо не е записано, както се очаква.' },
    differ: { en: 'The marked lines do not match.', bg: 'Отбелязаните редове не съвпадат.' },
    nothing: { en: 'nothing', bg: 'нищо' },
    uncertain: { en: 'We don’t know what is recorded: check and confirm.', bg: 'Не знаем какво е записано: проверете и потвърдете.' },
    unknown: { en: 'unknown', bg: 'не се знае' },
    notYet: { en: 'Nothing is recorded yet.', bg: 'Още нищо не е записано.' },
    nothingIn: { en: 'Its lines are not known yet.', bg: 'Редовете ѝ още не са известни.' },
    rate: { en: (rate: string): string => `${rate} % VAT`, bg: (rate: string) => `${rate} % ДДС` },
    problems: { en: 'The expected record can’t be worked out yet', bg: 'Очакваният запис още не може да се определи' },
    nothingShould: { en: 'Nothing should be recorded', bg: 'Не трябва да се записва нищо' },
    reasons: {
      unknown: { en: 'the order itself is not known yet', bg: 'самата поръчка още не е известна' },
      draft: { en: 'it is a draft', bg: 'тя е чернова' },
      test: { en: 'it is a test order', bg: 'тя е пробна' },
      unpaid: { en: 'it is not paid', bg: 'не е платена' },
      trial: {
        en: 'its store is on trial: nothing is submitted until recording is started',
        bg: 'магазинът ѝ е в проба: нищо не се изпраща, докато не започне отчитането',
      },
      'before-record-from': { en: 'it was paid before the day from which this store records', bg: 'платена е преди деня, от който магазинът се отчита' },
      disconnected: { en: 'it was paid while the store was disconnected', bg: 'платена е, докато магазинът е бил изключен' },
      free: { en: 'nothing was paid', bg: 'нищо не е платено' },
      'gift-card': { en: 'only gift cards were sold', bg: 'продадени са само ваучери' },
      refunded: { en: 'all of it was refunded', bg: 'цялата сума е върната' },
      removed: { en: 'it is no longer a sale', bg: 'вече не е продажба' },
    },
  },
  facts: {
    title: { en: 'The record', bg: 'Записът' },
    store: { en: 'Store', bg: 'Магазин' },
    storeId: { en: 'Id in the store', bg: 'Идентификатор в магазина' },
    storeStatus: { en: 'Status in the store', bg: 'Статус в магазина' },
    olderThere: { en: 'The store shows an older state since', bg: 'След това магазинът показва по-старо състояние' },
    olderThereSeen: { en: 'What is recorded stays. Seen', bg: 'Записаното остава. Видяно' },
    gateways: { en: 'Paid by', bg: 'Платена чрез' },
    none: { en: 'nothing is recorded', bg: 'нищо не е записано' },
    complianceId: { en: 'Compliance id', bg: 'Идентификатор в услугата' },
    document: { en: 'Document', bg: 'Документ' },
    month: { en: 'Month', bg: 'Месец' },
    receipt: { en: 'Receipt', bg: 'Документ за продажба' },
    receipts: {
      due: { en: 'requested', bg: 'поискан' },
      got: { en: 'issued', bg: 'издаден' },
      refused: { en: 'refused', bg: 'отказан' },
    },
    showInStore: { en: 'Show in the store', bg: 'Покажи в магазина' },
    erased: { en: 'The buyer’s data is erased.', bg: 'Данните на купувача са изтрити.' },
  },
  verbs: {
    title: { en: 'What you can do', bg: 'Какво можете да направите' },
    release: { en: 'Retry', bg: 'Опитай отново' },
    releaseHint: { en: 'Retry once the cause is fixed.', bg: 'Опитайте отново, след като причината е отстранена.' },
    takeBack: { en: 'Undo', bg: 'Отмени' },
    takeBackHint: {
      en: 'Takes back what was said of the order; it is then decided by the current settings.',
      bg: 'Оттегля казаното за поръчката; после тя се преценява по сегашните настройки.',
    },
    issue: { en: 'Fix the setting for all similar orders', bg: 'Поправи настройката за всички подобни поръчки' },
    similar: { en: 'See all similar orders', bg: 'Покажи всички подобни поръчки' },
    resolve: { en: 'Resolve by hand…', bg: 'Приключи ръчно…' },
    resolveHint: {
      en: 'You recorded it yourself, or nothing needs recording. If something new arrives for the order, it comes back to review.',
      bg: 'Записали сте я сами или няма нужда от запис. Ако дойде нещо ново за поръчката, тя се връща за проверка.',
    },
    how: { en: 'What became of it', bg: 'Какво е станало с нея' },
    recordedThere: { en: 'It is recorded there, under this id', bg: 'Записана е там, под този идентификатор' },
    recordedId: { en: 'Id at the compliance service', bg: 'Идентификатор в услугата за отчитане' },
    notASale: { en: 'It is no sale of this shop', bg: 'Не е продажба на този магазин' },
    elsewhere: { en: 'It is recorded elsewhere, for good', bg: 'Отчетена е другаде, окончателно' },
    note: { en: 'Note (kept in Activity)', bg: 'Бележка (остава в „Действия“)' },
    resolveNow: { en: 'Resolve', bg: 'Приключи' },
    again: { en: 'Recorded with wrong settings? Record it anew…', bg: 'Записана с грешни настройки? Нов запис…' },
    againHint: {
      en: 'By today’s settings something else would be recorded. This deletes the record at the compliance service and creates another one, which the file of its month will list in its place.',
      bg: 'По днешните настройки би се записало нещо друго. Записът при услугата за отчитане се изтрива и се създава нов, който файлът за месеца ще съдържа вместо него.',
    },
    againNow: { en: 'Delete the record and create another', bg: 'Изтрий записа и създай нов' },
    removal: { en: 'Was the money given back?', bg: 'Върнати ли са парите?' },
    kept: { en: 'It is still a sale', bg: 'Остава продажба' },
    removed: { en: 'It is no sale: remove the record', bg: 'Не е продажба: изтрий записа' },
    removeRecord: { en: 'Remove the record…', bg: 'Премахни записа…' },
    removeEffect: {
      en: (amount: string, document: string | null): string =>
        `This deletes the record of ${amount}${document === null ? '' : `, document ${document},`} at the compliance service.`,
      bg: (amount: string, document: string | null) =>
        `Така от услугата за отчитане се изтрива записът за ${amount}${document === null ? '' : `, документ ${document}`}.`,
    },
    removeMonth: {
      none: { en: 'No file lists it yet.', bg: 'Още не е в никой файл.' },
      open: {
        en: (month: string): string => `The file of ${month} won’t list it, and the number stays unused.`,
        bg: (month: string) => `Няма да влезе във файла за ${month}, а номерът остава неизползван.`,
      },
      generated: {
        en: (month: string): string => `The file of ${month} lists it: create and file a new version.`,
        bg: (month: string) => `Влязла е във файла за ${month}: създайте и подайте нова версия.`,
      },
      closed: {
        en: (month: string): string => `The file of ${month} is closed: the sale stays in it, and a later file lists a return of the whole amount.`,
        bg: (month: string) => `Файлът за ${month} е приключен: продажбата остава в него, а следващ файл ще отчете връщане на цялата сума.`,
      },
    },
    removeLater: {
      en: 'If anything new arrives for the order, it comes to review. Nothing is recorded again by itself.',
      bg: 'Ако дойде нещо ново за поръчката, тя отива за проверка. Нищо не се записва отново само.',
    },
    removeNow: { en: 'Remove the record', bg: 'Премахни записа' },
    recordAgain: { en: 'Record it again', bg: 'Запиши я отново' },
    apart: { en: 'Is it a sale of its own?', bg: 'Отделна продажба ли е?' },
    apartHint: {
      en: 'It came under the id of another order. Compare both in the store.',
      bg: 'Дойде с идентификатора на друга поръчка. Сравнете двете в магазина.',
    },
    other: { en: 'Two sales', bg: 'Две продажби' },
    same: { en: 'The same sale', bg: 'Същата продажба' },
    buyer: { en: 'Show the buyer', bg: 'Покажи купувача' },
    buyerHint: { en: 'Viewing is logged.', bg: 'Прегледът се записва.' },
  },
  doubt: {
    title: { en: 'Is it recorded?', bg: 'Записана ли е?' },
    created: {
      en: (at: string, number: string): string =>
        `A request was sent at ${at}, and no answer came. Look in the service for ${number}, then say what you found.`,
      bg: (at: string, number: string) => `В ${at} беше изпратена заявка и отговор не дойде. Потърсете ${number} в услугата и кажете какво намерихте.`,
    },
    deleted: {
      en: (at: string, id: string): string =>
        `The delete of the record ${id} was sent at ${at}; its answers do not show whether it was done. Look in the service for it, then say what you found.`,
      bg: (at: string, id: string) =>
        `Изтриването на записа ${id} беше изпратено в ${at}; отговорите не показват дали е извършено. Потърсете го там и кажете какво намерихте.`,
    },
    refused: {
      en: (why: string): string => `The request was repeated, and the service refused that: ${why}. What became of the first one, this does not show.`,
      bg: (why: string) => `Заявката беше повторена и услугата я отказа: ${why}. Това не показва какво е станало с първата.`,
    },
    found: { en: 'It is there, under this id', bg: 'Там е, под този идентификатор' },
    notFound: { en: 'It is not there', bg: 'Няма я там' },
    say: { en: 'Say it', bg: 'Потвърждаване' },
    look: { en: 'Look for me', bg: 'Потърсете вместо мен' },
    looked: {
      found: {
        en: (id: string): string => `The service has it, as ${id}. Say so below.`,
        bg: (id: string) => `Услугата я има като ${id}. Потвърдете го долу.`,
      },
      none: {
        en: 'The service lists its records, and has none of this order. Say so below.',
        bg: 'Услугата показва записите си и няма запис на тази поръчка. Потвърдете го долу.',
      },
      unlisted: { en: 'The service does not list its records: a person must look there.', bg: 'Услугата не показва записите си: трябва да погледне човек.' },
      several: {
        en: (ids: string): string => `The service has more than one record of this order: ${ids}. Delete all but one there first.`,
        bg: (ids: string) => `Услугата има повече от един запис на тази поръчка: ${ids}. Първо изтрийте там всички освен един.`,
      },
    },
  },
  problems: {
    note: { en: 'Write why: the audit log keeps it.', bg: 'Напишете защо: бележката се пази.' },
    how: { en: 'Choose what became of it.', bg: 'Изберете какво е станало с нея.' },
    recorded: { en: 'Give the id that the service shows.', bg: 'Въведете идентификатора, който услугата показва.' },
    found: { en: 'Say whether you found it.', bg: 'Кажете дали я намерихте.' },
  },
  buyer: {
    title: { en: 'The buyer', bg: 'Купувачът' },
    none: { en: 'No buyer is kept of this order.', bg: 'За тази поръчка не се пазят данни на купувач.' },
    unopened: {
      en: 'The buyer’s data can’t be decrypted. What is recorded anew is so without it, until the store sends the order again: save it there.',
      bg: 'Данните на купувача не могат да бъдат разшифровани. Без тях ще бъде и това, което се запише наново, докато магазинът не изпрати поръчката пак: запазете я там.',
    },
    fields: {
      email: { en: 'E-mail', bg: 'Имейл' },
      phone: { en: 'Phone', bg: 'Телефон' },
      firstName: { en: 'First name', bg: 'Име' },
      lastName: { en: 'Last name', bg: 'Фамилия' },
    },
    back: { en: 'Back to the order', bg: 'Обратно към поръчката' },
  },
  stale: {
    was: {
      en: (state: string, why: string): string => (why === '' ? state : `${state}: ${why}`),
      bg: (state: string, why: string) => (why === '' ? state : `${state}: ${why}`),
    },
  },
  records: {
    twice: {
      en: 'It is recorded twice at the compliance service: it counts twice until one record is deleted.',
      bg: 'Записана е два пъти в услугата за отчитане: отчита се двойно, докато единият запис не бъде изтрит.',
    },
    look: { en: 'Look at both records', bg: 'Виж двата записа' },
    title: { en: (number: string): string => `The records of ${number}`, bg: (number: string) => `Записите на ${number}` },
    intro: {
      en: 'It was recorded more than once, because the answer to a request came too late. Choose the record that is deleted at the compliance service; the order is then decided again from the one that is left.',
      bg: 'Записана е повече от веднъж, защото отговорът на заявка дойде твърде късно. Изберете кой запис да се изтрие в услугата за отчитане; после поръчката се преценява отново според останалия.',
    },
    which: { en: 'Which record is deleted?', bg: 'Кой запис да се изтрие?' },
    there: { en: 'it is there', bg: 'там е' },
    gone: { en: 'it is gone', bg: 'няма го вече' },
    unreadable: { en: 'the service does not show it', bg: 'услугата не го показва' },
    current: { en: 'the one that orderbridge counts with', bg: 'записът, който orderbridge води' },
    why: { en: 'Why (for the audit log)', bg: 'Защо (остава в „Действия“)' },
    choose: { en: 'Choose one of them.', bg: 'Изберете един от тях.' },
    do: { en: 'Delete this record', bg: 'Изтрий този запис' },
  },
});
