import { countBg, ordersBg } from './counts-bg.ts';
import type { serviceInEnglish } from './service-en.ts';

const documentOf = (document: string | null): string => (document === null ? '' : `, документ ${document}`);

export const serviceInBulgarian: typeof serviceInEnglish = {
  keys: {
    granted: (owner, company) => `Собственикът на ключа ${owner} може да създава обекти на фирмата ${company}.`,
    noLonger: (owner) => `Собственикът на ключа ${owner} вече не може.`,
    left: (owner, shops, company) =>
      `Внимание: собственикът на ключа ${owner} има ${shops === 1 ? 'обект на тази фирма, който не приема' : `${shops} обекта на тази фирма, които не приемат`} нови поръчки; ` +
      `записаното може да се поправя и трябва да се подаде; \`orderbridge service numbers show ${company}\` показва всички.`,
    ours: (id) => `Самият orderbridge минава на новия ключ ${id} до 10 сек.; друго не е нужно.`,
    old: (id, until) => `Старият ключ ${id} важи до ${until}; \`orderbridge service keys revoke ${id}\` го прекратява по-рано.`,
    secret: 'Запазете тайната: не се показва повторно.',
    revoked: (id) => `Ключът ${id} е прекратен.`,
  },
  numbers: {
    none: 'Още не е даван номер на документ; започват от receiptStartNumber на обекта на първата поръчка.',
    next: (number) => `следващ  ${number}`,
    titles: { given: 'ДАДЕНИ', skipped: 'ПРОПУСНАТИ', shops: 'ОБЕКТИ', owners: 'КОЙ МОЖЕ ДА СЪЗДАВА ОБЕКТИ' },
    nextIs: (company, number) => `Следващият номер на документ на фирмата ${company} е ${number}.`,
    skipped: (first, last) => `Номерата от ${first} до ${last} са пропуснати и се пазят като анулирани.`,
    takenBack: (first, last) => `Номерата от ${first} до ${last} вече не са пропуснати.`,
  },
  rates: {
    none: 'За това няма запазени курсове. `orderbridge service rates fetch` изтегля най-новия бюлетин.',
    replace: 'Ако новите стойности са верните, добавете --replace.',
    days: (count, first, last) => `${count} дни от ${first} до ${last}`,
    rates: (n) => countBg(n, 'курс', 'курса'),
    imported: ({ rates, days, replaced, unchanged }) => `Запазени са ${rates} за ${days}, заменени: ${replaced}, вече известни: ${unchanged}.`,
    notImported: (path) => `${path} не беше внесен, нищо не е променено:`,
    newest: (day, rates, unchanged) => `Най-новият бюлетин е за ${day}: запазени са ${rates}, вече известни: ${unchanged}.`,
    late: 'Минава 18:00 ч. в работен ден, а днешния бюлетин го няма; докато дойде, важи предишният.',
    missed: (days) => `Изтеглени пропуснати дни: ${days}.`,
    notFetched: (days, why) => `Бюлетините за ${days} не можаха да бъдат изтеглени (${why}).`,
    filled: (n) => `${ordersBg(n)}, ${n === 1 ? 'която чакаше курс, вече го има' : 'които чакаха курс, вече го имат'}.`,
    waiting: (n) => `${ordersBg(n)} още ${n === 1 ? 'чака' : 'чакат'} курс: внесете бюлетините за дните им.`,
  },
  orders: {
    none: 'Няма такава поръчка.',
    more: (limit) => `Поръчките са повече от ${limit}; стеснете списъка с --month или увеличете --limit.`,
    recorded: (id, document) => `Поръчката е записана: ${id}${documentOf(document)}.`,
    already: (id, document) => `Поръчката вече е била записана: ${id}${documentOf(document)}.`,
    settle: (command) => `Ако е поръчка от магазин: ${command}`,
    about: (id, order, total) => `Записът ${id} е на поръчка ${order}, ${total}.`,
    ask: 'Да бъде ли изтрит?',
    deleted: (id) => `Записът ${id} е изтрит.`,
    held: (id, name) =>
      `orderbridge го води като запис на своята поръчка ${name} (id:${id}) и няма да забележи, че го няма. Ако поръчката чака човек, запишете я наново ` +
      `след това и \`orderbridge settle id:${id} --recorded ID\`, или оставете този запис и нека \`orderbridge release id:${id} --remove\` го изтрие, ` +
      'за което orderbridge знае. Ако не чака човек, `orderbridge reconcile` я записва наново, когато магазинът може да бъде четен с ключ; иначе никой не го прави.',
    fields: {
      id: 'идентификатор',
      shop: 'обект',
      order: 'поръчка',
      ordered: 'поръчана',
      recorded: 'записана',
      payment: 'плащане',
      document: 'документ',
      month: 'месец',
      total: 'сума',
      declared: 'отчетено',
      warning: 'внимание',
      issued: 'издаден',
      eMail: 'имейл',
    },
    internalId: (number, id) => `${number} (internalId ${id})`,
    document: (number, day, edition) => `${number} от ${day}${edition > 1 ? `, издание ${edition}` : ''}`,
    noMonth: 'няма: заменя продажба, която е в приключен месец',
    sums: ({ total, net, vat, discounts }) => `${total}: нето ${net}, ДДС ${vat}, отстъпки ${discounts}`,
    noRate: 'още не: няма валутен курс; вижте `orderbridge service rates`',
    declared: (total, vat) => `${total}, ДДС ${vat}`,
    rateOf: (rate, source, day) => ` (${rate}, ${source} от ${day})`,
  },
  receipts: {
    none: 'Няма такъв документ за продажба.',
    more: (limit) => `Документите са повече от ${limit}; стеснете списъка с --month или увеличете --limit.`,
    written: (file) => `Документът е в ${file}.`,
    emailed: {
      'no-address': 'не е изпратен: купувачът няма използваем имейл',
      queued: 'чака да бъде изпратен по имейл; прави го работещ сървър',
      sent: 'изпратен е на купувача по имейл',
      failed: 'не можа да бъде изпратен; `orderbridge service mails list --state failed` казва защо',
    },
  },
  mails: {
    none: 'Няма такова писмо.',
    states: { waiting: 'чака изпращане', sent: 'изпратено', failed: 'неуспешно' },
    more: (limit) => `Показани са само най-новите ${limit}; стеснете списъка с --shop или --state или увеличете --limit.`,
    due: (id) => `Писмото ${id} пак чака изпращане; изпраща го работещ сървър.`,
  },
  shops: {
    none: 'Няма обект.',
    more: (limit) => `Обектите са повече от ${limit}; увеличете --limit.`,
    earlier: (before, borne) => `Файловете за месеците преди ${before} са с: ${borne}`,
  },
};
