import { ordersBg } from './counts-bg.ts';
import type { readingInEnglish } from './reading-en.ts';

export const readingInBulgarian: typeof readingInEnglish = {
  fetch: {
    none: (store, said, days) => `${store} няма поръчка с идентификатор ${said}, нито с такъв номер сред променените през последните ${days} дни`,
    later: 'Магазинът я има; приема се, щом тръгне работещ процес (`orderbridge start`).',
    found: (id) => `Магазинът я има: \`orderbridge order id:${id}\` показва какво става с нея.`,
  },
  reconcile: {
    noStore: 'Няма свързан магазин.',
    notWhole: 'не всичко можа да бъде прочетено; редовете „не е проверено“ казват защо',
    left: (n) => (n === 1 ? 'остава 1 разлика' : `остават ${n} разлики`),
    head: (store, from, to) => `${store}, поръчки, продадени от ${from} до ${to}`,
    inCurrency: (currency) => ` в ${currency}`,
    sides: { store: 'магазин', ledger: 'дневник', service: 'услуга', file: 'файл' },
    healed: (n) => `поправени: ${n}`,
    unchecked: (why) => `не е проверено: ${why}`,
    none: 'Няма разлика.',
  },
  backfill: {
    ask: 'Записани ли са от друг софтуер? Тогава биха били записани два пъти: отговорете „не“. Да бъдат ли приети?',
    taken: (n) => `${n === 1 ? '1 поръчка е приета и ще бъде записана' : `${n} поръчки са приети и ще бъдат записани`}; \`orderbridge drain\` изчаква това.`,
    unread: (orders) => `Не са прочетени изцяло, защото магазинът не ги показва: ${orders}.`,
    head: (from, until, orders) => `Поръчки, продадени от ${from} до ${until}, които още не са взети: ${orders}.`,
    goesOn: (n) => `Незавършено приемане е взело ${ordersBg(n)}; продължава оттам.`,
    recordFrom: (from) => `recordFrom става ${from}.`,
    unlisted: 'Услугата за отчитане не показва записите си: не се знае дали вече има някои от тези.',
    recorded: (n) => `Услугата за отчитане вече има запис на ${n} от тях: те ще чакат човек с compliance.conflict и \`orderbridge reconcile\` ги поема.`,
  },
  delivery: {
    fields: {
      delivery: 'известие',
      store: 'магазин',
      topic: 'тема',
      arrived: 'пристигна',
      outcome: 'изход',
      why: 'защо',
      order: 'поръчка',
      body: 'съдържание',
      toDo: 'какво да се направи',
    },
    topicInBody: '(темата е в съдържанието му)',
    personal: 'Това е, което магазинът изпрати; в него има лични данни на купувача.',
    kept: 'пази се (--body го показва; в него има лични данни)',
    gone: 'няма го',
    dismissed: (id) => `Известието ${id} вече не чака човек.`,
    replayed: (id) => `Известието ${id} пак е на опашката.`,
    needsNothing: (id, why) => `Известието ${id} не иска нищо: ${why}.`,
  },
  test: {
    ask: (shopId, name) => `Поръчката става данъчен запис на обект ${shopId} (${name}) и е във файла за месеца, докато не я изтриете. Да бъде ли изпратена?`,
    sent: (address) => `Изпратена е до ${address}; изчаква се какво ще стане с нея.`,
    notRecorded: (state) => `пробната поръчка не е записана: състоянието ѝ е „${state}“`,
    totalNotKnown: 'сумата не е известна',
    elsewhere: (id) => `изтрийте записа ${id} в услугата за отчитане`,
    takeBack:
      'Вече е данъчен запис и е във файла за месеца. За да го оттеглите, изпратете връщането ѝ, както би го изпратил магазинът (тогава записът се изтрива), или',
  },
  records: {
    ask: (record) => `Да бъде ли изтрит записът ${record}?`,
    released: 'за поръчката се решава отново',
    left: (records) => `поръчката все още има ${records} записа и още чака човек`,
    deleted: (record, next, order) => `Записът ${record} е изтрит; ${next}: \`orderbridge order id:${order}\` показва какво става с нея.`,
    is: { there: 'има го', gone: 'няма го', unreadable: 'услугата не го показва' },
    isHeld: (state) => `${state}; поръчката се води по него`,
  },
  read: (store, since) => `Промененото в ${store} от ${since} насам се чете сега; \`orderbridge connections\` показва кога е било прочетено.`,
};
