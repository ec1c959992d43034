import { webhooksBg } from './counts-bg.ts';
import type { storesInEnglish } from './stores-en.ts';

const decidedAgain = (n: number): string => (n === 1 ? '1 чакаща поръчка се преценява отново' : `${n} чакащи поръчки се преценяват отново`);

export const storesInBulgarian: typeof storesInEnglish = {
  connect: {
    publicUrl: 'Задайте в PUBLIC_URL адреса, на който магазините в интернет достигат този сървър; localhost е само за проба.',
    next: 'Какво следва:',
    topics: (topics) => `1. В магазина изпращайте тези теми към webhookUrl, подписани с тайната, която дадохте:\n   ${topics}`,
    also: (topics) => `   също: ${topics}`,
    heal: (id) => `   Ако ключът може да пише, \`orderbridge subscriptions ${id} --heal\` създава известията и в магазина не се въвежда нищо.`,
    test: (from, id) =>
      `2. Направете там пробна поръчка. Поръчки, платени преди ${from}, не се вземат, дори да бъдат запазени отново; \`orderbridge backfill ${id}\` ги приема, ако магазинът може да бъде четен, а \`recordFrom\` в настройките променя времето.`,
    testOnTrial: (id) =>
      `2. Направете там пробна поръчка. По време на пробата нищо не се отчита: \`orderbridge start-recording ${id} --from now\` я прекратява.`,
    look: (id) => `3. Вижте я с \`orderbridge orders --connection ${id}\`, а каквото чака вас – с \`orderbridge parked\`.`,
    strict: 'Нищо не беше създадено или променено заради --strict.',
  },
  earlier: {
    same: (closedAt, filedUnder) =>
      `Този магазин беше изключен в ${closedAt}; продължава, както беше: със същия webhookUrl, с поръчките си${filedUnder} и с настройките си, освен ако сте дали други.`,
    filedUnder: (store) => ` (водени под ${store})`,
    webhooks: 'Известията, които още са в магазина, пак работят, ако са подписани с тайната, която дадохте.',
    gap: (from, until, id) => `Поръчки, платени между ${from} и ${until}, не се вземат; \`orderbridge reconnect ${id} --record-from ${from}\` ги приема.`,
    endedWays: (id) =>
      `Връзките, с които търговец виждаше този магазин, приключиха: вече може да е на друг. За да има отново страница за търговеца, \`orderbridge disconnect ${id}\` и \`orderbridge invite\` с обекта му.`,
    other: (earlier, later) => `Това е друг магазин, а не ${earlier}, който беше на този обект преди: започва сега, без нищо от предишния${later}.`,
    decidedLater: ', освен ако първото му известие назове хост на предишния',
    ifSame: (id, earlierId) => `Ако е същият магазин: \`orderbridge disconnect ${id}\` и го свържете с --same-store ${earlierId}.`,
    undecided: (earlier) => `Този обект имаше магазин и преди: ${earlier}. Още не може да се знае дали е същият: решава хостът на първото му известие.`,
    either: 'Ако е същият, продължава с поръчките му и с настройките му, освен ако сте дали други; ако не е, започва сега.',
    sayNow: (id) => `За да го кажете сега: \`orderbridge disconnect ${id}\` и го свържете с --store-url, --same-store или --new-store.`,
    described: (id, name, closedAt) => `${id} (${name}; изключен в ${closedAt})`,
  },
  reconnect: {
    changed: (id) => `${id} е променена; адресът за известия е същият.`,
    otherStore: 'Магазинът на този адрес казва, че е друг, а не предишният: проверете адреса и ключовете.',
    heldHost: (id, host) =>
      `Известията, които назовават ${host}, се задържат; ако магазинът се е преместил там, \`orderbridge reconnect ${id} --moved ${host}\`.`,
    oldSecret: (until) => `Старата тайна важи до ${until}; дотогава я сменете и в магазина.`,
    replaced: (n) => `Настройките са заменени; ${decidedAgain(n)}.`,
    taken: (from, gaps) => `Вземат се поръчки, платени от ${from} нататък${gaps.map((gap) => `, без тези между ${gap.from} и ${gap.until}`).join('')}.`,
  },
  hosts: {
    ours: (host, id) => `${host} е на магазина: отсега нататък известията му се броят към ${id}, наред с тези от другите му хостове.`,
    apiMoved: (url) => `API на магазина вече не отговаря на стария адрес, а на ${url} отговаря със същия ключ: отсега нататък се търси там.`,
    apiStays: (id, url, host) =>
      `API на магазина все още се търси на ${url}, където няма използваем отговор, нито на ${host} със същия ключ: \`orderbridge reconnect ${id} --store-url https://…\`, с нови ключове, ако тези ги няма; дотогава поръчките, за които е нужно API, чакат.`,
    released: (n) =>
      n === 1 ? '1 известие беше задържано; сега се чете отново.' : `${n} известия бяха задържани; сега се четат отново, по реда, в който са дошли.`,
    parked: (n) =>
      `${webhooksBg(n)} ${n === 1 ? 'беше задържано, но вече не може да бъде прочетено' : 'бяха задържани, но вече не могат да бъдат прочетени'}: \`orderbridge parked\`.`,
    notKept: (n) =>
      `${webhooksBg(n)} ${n === 1 ? 'не беше запазено' : 'не бяха запазени'} преди: запазете отново поръчките им в магазина и той ще ги изпрати пак.`,
    notOurs: (host, id) => `${host} не е на магазина: известията му получават отговор и се броят, но не променят нищо за ${id}.`,
    dropped: (n) => `${webhooksBg(n)} ${n === 1 ? 'беше задържано и е отхвърлено' : 'бяха задържани и са отхвърлени'}.`,
    unswept: (why) => `${why}; работещ процес поема известията, щом опашката се върне.`,
  },
  connections: {
    none: 'Още няма свързан магазин; `orderbridge connect --help` казва как.',
    onTrial: (since) => `в проба от ${since}: нищо не се отчита (\`orderbridge start-recording\`)`,
    throttled: (n, last, rate) => `${webhooksBg(n)} ${n === 1 ? 'получи' : 'получиха'} отговор 429, последното в ${last} (ratePerSecond е ${rate})`,
    read: ({ at, until, unknown, stale }) =>
      `магазинът беше прочетен в ${at}; промените до ${until} са известни (последния път непознати поръчки: ${unknown}, остарели: ${stale})`,
    notOurs: (host, dismissed) => `${host} не е на магазина; незапазени известия: ${dismissed}`,
    ours: (host) => `${host} също е на магазина`,
  },
  disconnect: {
    done: (id) => `${id} е изключена; вече приетите поръчки пак се изпращат.`,
    already: (id, since) => `${id} вече беше изключена в ${since}.`,
  },
  settings: {
    notRight: (path, problems) => `настройките в ${path} не са верни; нищо не беше променено:\n${problems}`,
    changed: (id, n) => `Настройките на ${id} са променени; ${decidedAgain(n)}.`,
    replaced: (id, n) => `Настройките на ${id} са заменени; ${decidedAgain(n)}.`,
    stillTaken: (from) => `Поръчки, платени от ${from} нататък, все така се вземат.`,
    default: '(по подразбиране)',
    notSet: '(не е зададено)',
    none: 'Няма различна настройка.',
    undo: (command) => `За да го върнете: ${command}`,
    curable: (parked) => `Чакащи поръчки, за които може да помогнат настройки: ${parked}`,
    release: (command) => `(\`${command}\` ги преценява отново според настройките)`,
    ofCode: (n, code) => `${n} с ${code}`,
    concerned: (counts) => `Поръчки, за които сега може да се реши друго: ${counts}.`,
    counts: { parked: (parked) => `чакат човек: ${parked}`, ignored: (n) => `пропуснати: ${n}`, waiting: (n) => `чакат плащане: ${n}` },
  },
  rotate: {
    alone: (id) => `orderbridge приема само новата тайна на ${id}; известия, подписани със старата, се отказват. Сменете я сега и в магазина.`,
    both: (id, until) => `orderbridge има новата тайна на ${id}; старата важи до ${until}.`,
    now: 'Сега, преди този срок, я сменете и в магазина.',
  },
  subscriptions: {
    none: 'В магазина няма известие за тази връзка.',
    healed: (topics) => `Създадени отново: ${topics}. Пропуснатото се прочита от API на магазина.`,
    notHealed: (why) => `! не е поправено: ${why}`,
    right: 'Всичко с тях е наред.',
  },
  start: {
    known: (from, orders) => `Поръчки, платени от ${from} насам, които биха били отчетени: ${orders}.`,
    asked: (orders, code) => `За още ${orders} би бил попитан човек (${code}).`,
    unknown: (orders) => `Магазинът има още, за които няма известие: ${orders} според списъка му.`,
    whyUnknown: (why) => `Какво още има магазинът, не се знае: ${why}.`,
    ask: 'Отчетени ли са тези поръчки с друга програма? Тогава ще бъдат отчетени два пъти: отговорете „не“. Да започне ли отчитането?',
    started: (name, from, id) => `${name} се отчита от ${from} насам; \`orderbridge orders --connection ${id}\` показва какво става с поръчките му.`,
  },
};
