import { countBg } from './counts-bg.ts';
import type { monthsInEnglish } from './months-en.ts';

const changes = (n: number): string => countBg(n, 'промяна', 'промени');

export const monthsInBulgarian: typeof monthsInEnglish = {
  none: 'Обектът още няма поръчки.',
  lacks: (n) => `без ${countBg(n, 'последна промяна', 'последни промени')}`,
  paid: (n) => countBg(n, 'платена поръчка', 'платени поръчки'),
  generate: {
    incomplete: (left, at) => `Внимание: файлът е непълен: не са записани ${left} от месеца (към ${at}). \`orderbridge review\` казва какво да се направи.`,
    reading: (month, until) => `Магазинът се чете за ${month}: изчаква се най-късно до ${until}. С --now не се изчаква.`,
    notAsked: (month, why) =>
      `Внимание: магазинът не беше прочетен за целия ${month} (${why}). \`orderbridge reconcile --month ${month}\` го прочита; след това изгответе файла отново.`,
    replacement: (month, until) =>
      `Току-що беше изтрита поръчка, която засяга файла за ${month}, и заместващата я може да е на път: изчаква се до ${until}. С --now не се изчаква.`,
    mailed: 'Писмото чака изпращане; изпраща го работещ сървър. `orderbridge service mails list` показва състоянието му.',
    sameMailed: 'Нищо не се изпраща: същото вече е изпратено.',
    nothingNew: 'Нищо не се изпраща: няма нищо ново за съобщаване.',
    keptAnyway: (error, version, command) => `${error}; въпреки това версия ${version} се пази, ${command} я показва с --xml`,
    made: (month) => `Одиторският файл за ${month} е изготвен.`,
    leftOut: (orders, total) => `Според auditNoReceiptOrders на обекта не са включени поръчките без документ за продажба: ${orders} (${total}).`,
    written: (files) => `Записани файлове: ${files}`,
    fields: { version: 'версия', contents: 'съдържание', size: 'размер', warnings: 'предупреждения' },
    bytes: (n) => countBg(n, 'байт', 'байта'),
    next: (command, when) => `Подайте го в портала на НАП ${when}, а след това ${command}.`,
    late: (deadline) => `веднага (срокът изтече на ${deadline})`,
    inTime: (deadline) => `до ${deadline}`,
  },
  refused: {
    noEdit: 'Записана поръчка не се поправя: изтрийте я и я създайте отново, каквато трябва да бъде.',
    rates: 'ЛИПСВАЩИ ВАЛУТНИ КУРСОВЕ',
    ratesTodo: '`orderbridge service rates fetch` изтегля най-новия бюлетин на БНБ, `orderbridge service rates import` внася бюлетин за тези дни от файл.',
    ratesNever: (currencies) => `БНБ не обявява курс на ${currencies} за тези дни: изтрийте поръчките и ги създайте във валутата, в която е платено`,
    filed: (month, command) =>
      `файлът за ${month} е отбелязан като подаден, затова друг не е изготвен; ако НАП или вие сте намерили грешки в него, отбележете го с ${command} и го изгответе отново`,
    notEnded: (month, from) => `${month} не е свършил; файлът му може да бъде изготвен от ${from} нататък`,
    busy: (command) => `в момента друг процес изготвя същия файл; ${command} го показва, щом стане готов`,
    notOurs: (month) => `през ${month} обектът още не е бил тук: файлът се изготвя с програмата, която е имал тогава`,
    noShop: 'обектът междувременно е изтрит',
    testShop: 'обектът е създаден с тестов ключ: поръчките му не влизат във файл',
    missingRates: (n) => countBg(n, 'липсващ валутен курс', 'липсващи валутни курса'),
    blocked: (month, what) => `файл за ${month} не е изготвен: ${what.join(' и ')}; направете казаното по-горе и го изгответе отново`,
    returns: (n) => `връщания: ${n}`,
    leftOut: (n) => `поръчки, които не са включени според auditNoReceiptOrders на обекта: ${n}`,
    empty: (month, holds, command) =>
      `за ${month} няма поръчка за файл${holds}, а схемата на НАП не допуска файл без поръчки; ${command} казва какво трябва да направи търговецът`,
  },
  versions: {
    title: 'ВЕРСИИ',
    filed: (version) => `${version} (подадена)`,
    noneYet: (month, command) => `файл за ${month} още не е изготвян; ${command} го изготвя`,
    noSuch: (month, last, command) => `файлът за ${month} няма такава версия; последната е ${last}, а ${command} ги показва`,
    notLast: (version, last) => `Това е версия ${version}; последната е ${last}.`,
  },
  mail: {
    queued: (version, month) =>
      `Версия ${version} на файла за ${month} чака изпращане; изпраща я работещ сървър. \`orderbridge service mails list\` показва състоянието ѝ.`,
    justMailed: (until) => `току-що беше изпратен; може да бъде изпратен отново след ${until}`,
    filed: (month) => `файлът за ${month} е отбелязан като подаден, така че вече никой не трябва да го подава`,
    none: (month, command) => `няма файл за ${month}, който да бъде изпратен; ${command} го изготвя`,
  },
  said: {
    checked: (version, month) => `Отбелязано е, че сумите на версия ${version} на файла за ${month} съвпадат със счетоводството.`,
    accepted: (version, month) => `Отбелязано е, че НАП е приела версия ${version} на файла за ${month}.`,
    notFiled: (month, state, command) => `файлът за ${month} не е отбелязан като подаден (месецът е „${state}“); ${command} го отбелязва`,
  },
  filed: {
    without: (left, n) => `Подаден е без ${left}, ${n === 1 ? 'която не е записана' : 'които не са записани'}: влизат в по-късни файлове.`,
    done: (version, month) => `Версия ${version} на файла за ${month} е отбелязана като подадена.`,
    closed: 'Месецът е приключен: поръчка от него, която бъде изтрита оттук нататък, е връщане във файла за месеца, в който е изтрита.',
    ifErrors: (command) => `Ако НАП намери грешки във файла: ${command}`,
    notLast: (version, later, command) =>
      `Внимание: версия ${version} не е последната; последната е ${later}. Ако вместо нея ще бъде подадена друга версия: ${command}`,
    empty: (month, command) => `за ${month} няма поръчка за файл; ако счетоводителят е съгласен, че няма какво да се подаде, ${command} го отбелязва`,
    wrongDay: (first, last) => `--filed-on трябва да е ден от ${first}, когато е изготвена версията, до ${last}, днес`,
    incomplete: ({ left, orders, at, month, command }) =>
      `${left} от ${month} не ${orders === 1 ? 'е записана' : 'са записани'} (към ${at}); \`orderbridge review\` казва какво да се направи с всяка; щом бъдат записани, ` +
      `изгответе файла отново с ${command} и подайте него. Ако файлът е подаден без тях, добавете --without-outstanding: влизат в по-късни файлове`,
    outdated: ({ version, lacks, header, show, generate, until }) =>
      `във версия ${version} ${lacks === 1 ? 'липсва' : 'липсват'} ${changes(lacks)}${header} в месеца, след като е изготвена (${show}); изгответе друга с ${generate} и подайте нея до ${until}. ` +
      `Ако версия ${version} вече е в НАП и трябва да остане, добавете --as-is: тогава промените влизат в по-късни файлове`,
    already: ({ version, month, day, command }) =>
      `версия ${version ?? '-'} на файла за ${month} е отбелязана като подадена на ${day ?? 'неизвестен ден'}; ако това е грешка или НАП е намерила грешки в нея, ` +
      `${command} го отменя`,
  },
  rejected: {
    done: (version, month) => `Версия ${version} на файла за ${month} е отбелязана като върната.`,
    open: (deadline) => `Месецът отново е отворен до ${deadline}: поръчки, които бъдат изтрити, отпадат от файла му.`,
    closed: (deadline) => `Срокът му изтече на ${deadline}, затова месецът остава приключен: поръчки, които бъдат изтрити, остават във файла му и са връщания.`,
    next: (command, days) => `Поправете каквото посочва НАП, после ${command}; подайте го до ${days} дни от съобщението на НАП.`,
    tooLate: (month) =>
      `поръчките от ${month}, изтрити след подаването, вече не се пазят, затова файлът не може да бъде изготвен отново; поправете подадения файл на ръка ` +
      '(`orderbridge service audit show --xml`) заедно със счетоводителя',
    already: (month, command) => `файлът за ${month} вече е отбелязан като върнат; изгответе следващия с ${command}`,
    notFiled: (month, state) => `файлът за ${month} не е отбелязан като подаден (месецът е „${state}“), затова не може да бъде върнат`,
  },
  nothing: {
    done: (month) => `${month} е уреден: няма какво да се подаде. Поръчка или връщане, което влезе в него, го отваря отново.`,
    notEnded: (month) => `${month} не е свършил: в него още може да влезе поръчка`,
    hasReturns: (month, n) =>
      `през ${month} има ${countBg(n, 'връщане', 'връщания')}, а никой файл не може да ги съобщи: уговорете със счетоводителя как да бъдат отразени, запишете го с --note и добавете --with-returns`,
    hasFile: (month, command) => `за ${month} има изготвен файл, така че има какво да се подаде (${command})`,
    hasOrders: (month, command) => `за ${month} има поръчки, затова файлът му трябва да бъде изготвен и подаден: ${command}`,
  },
};
