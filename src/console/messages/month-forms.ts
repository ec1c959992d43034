import { messages } from '../../contract/messages.ts';
import { counted, form } from '../../contract/plural.ts';

/** The forms by which a month is marked. */
export const forms = messages({
  make: { en: 'Make the file now', bg: 'Изготви файла сега' },
  makeAgain: { en: 'Make it again', bg: 'Изготви го отново' },
  makeNow: { en: 'Don’t wait for the replacement of an order that was just deleted', bg: 'Без изчакване на поръчката, която замества току-що изтрита' },
  checked: { en: 'The sums agree', bg: 'Сумите съвпадат' },
  mail: { en: 'Mail it', bg: 'Изпрати по пощата' },
  mailAgain: { en: 'Mail it again', bg: 'Изпрати отново по пощата' },
  mailTo: {
    en: (recipients: string): string => `To ${recipients}, with the file and a link to the month; a link that has expired is made anew.`,
    bg: (recipients: string) => `До ${recipients}, с файла и връзка към месеца; изтекла връзка се подновява.`,
  },
  filed: { en: 'Mark as filed', bg: 'Отбележи като подаден' },
  version: { en: 'Version that was filed', bg: 'Подадена версия' },
  versionOf: {
    en: (version: number, moment: string): string => `version ${version}, made ${moment}`,
    bg: (version: number, moment: string) => `версия ${version}, изготвена ${moment}`,
  },
  incomingNumber: { en: 'Incoming number (Вх. №) of the agency', bg: 'Входящ номер (Вх. №) от НАП' },
  incomingHint: { en: 'It may come later: it can be added and corrected.', bg: 'Може да дойде по-късно: добавя се и се поправя и след това.' },
  filedOn: { en: 'Filed on', bg: 'Подаден на' },
  withoutOutstanding: {
    en: (count: number): string =>
      `It was filed without the ${form.en(count, 'paid order that is', `${count} paid orders that are`)} not recorded; they go into a later file`,
    bg: (count: number) =>
      form.bg(
        count,
        'Подаден е без платената поръчка, която не е записана; тя влиза в по-късен файл',
        `Подаден е без ${count} платени поръчки, които не са записани; те влизат в по-късен файл`,
      ),
  },
  asIs: {
    en: (count: number): string => `Exactly this version was filed, without the ${counted.en(count, 'change', 'changes')} since; they go into later files`,
    bg: (count: number) => `Подадена е точно тази версия, без ${counted.bg(count, 'промяната', 'промени')} след нея; те влизат в по-късни файлове`,
  },
  correct: { en: 'Correct number and day', bg: 'Поправи номера и деня' },
  correctTitle: { en: 'Add or correct the number', bg: 'Добавяне или поправка на номера' },
  accepted: { en: 'The agency accepted it', bg: 'НАП го прие' },
  rejectedTitle: { en: 'The agency rejected it…', bg: 'НАП го върна…' },
  rejected: { en: 'Mark as rejected', bg: 'Отбележи като върнат' },
  words: { en: 'What the agency said (paste its words)', bg: 'Какво съобщи НАП (поставете текста)' },
  rejectedHint: {
    en: 'Within its term the month is open again, so that a corrected file can be made.',
    bg: 'В срока си месецът се отваря отново, за да бъде изготвен поправен файл.',
  },
  nothingTitle: { en: 'Nothing to file…', bg: 'Няма какво да се подаде…' },
  nothing: { en: 'Mark as nothing to file', bg: 'Отбележи, че няма какво да се подаде' },
  note: { en: 'What was agreed, and with whom', bg: 'Какво е уговорено и с кого' },
  returnsTitle: { en: 'The returns are dealt with…', bg: 'Върнатите суми са уредени…' },
  returns: { en: 'Mark the returns as dealt with', bg: 'Отбележи върнатите суми като уредени' },
  returnsHint: { en: 'No file can tell them: write how the VAT was corrected.', bg: 'Никой файл не може да ги съобщи: запишете как е коригиран ДДС.' },
  nothingHint: { en: 'An order that comes into the month opens it again.', bg: 'Поръчка, която влезе в месеца, го отваря отново.' },
});

/** What is wrong with what a form of a month says. */
export const problem = messages({
  title: { en: 'Not done', bg: 'Не е направено' },
  number: {
    en: 'Type the number that the agency gave: one line, 50 characters at most.',
    bg: 'Въведете номера, даден от НАП: един ред, най-много 50 знака.',
  },
  day: { en: 'Choose a day, such as 12 November 2026.', bg: 'Изберете ден, например 12 ноември 2026 г.' },
  wrongDay: {
    en: (first: string, last: string): string => `The day may be from ${first}, when the version was made, to ${last}, today.`,
    bg: (first: string, last: string) => `Денят може да е от ${first}, когато е изготвена версията, до ${last}, днес.`,
  },
  version: { en: 'Choose a version of the list.', bg: 'Изберете версия от списъка.' },
  words: { en: 'Paste what the agency said: 4,000 characters at most.', bg: 'Поставете какво съобщи НАП: най-много 4000 знака.' },
  note: { en: 'Write what was agreed, and with whom: 1,000 characters at most.', bg: 'Напишете какво е уговорено и с кого: най-много 1000 знака.' },
  outstanding: {
    en: (count: number): string =>
      `${counted.en(count, 'paid order of the month is', 'paid orders of the month are')} not recorded, and not in the file. Resolve them first and make the file again; if it was filed without them, tick the box and send it again.`,
    bg: (count: number) =>
      `${counted.bg(count, 'платена поръчка от месеца не е записана и я', 'платени поръчки от месеца не са записани и ги')} няма във файла. Първо ги уредете и изгответе файла отново; ако е подаден без тях, отметнете полето и изпратете пак.`,
  },
  outdated: {
    en: (version: number, changes: number): string =>
      `Version ${version} lacks ${counted.en(changes, 'change', 'changes')}. Make the file again and file that; if exactly this version was filed, tick the box and send it again.`,
    bg: (version: number, changes: number) =>
      `Във версия ${version} ${counted.bg(changes, 'промяна', 'промени')} в поръчките ${form.bg(changes, 'липсва', 'липсват')}. Изгответе файла отново и подайте новия; ако е подадена точно тази версия, отметнете полето и изпратете пак.`,
  },
  noFile: { en: 'There is no such version of the file.', bg: 'Няма такава версия на файла.' },
  already: {
    en: 'The month is marked as filed already. If the agency rejected it, say that first.',
    bg: 'Месецът вече е отбелязан като подаден. Ако НАП го е върнала, първо отбележете това.',
  },
  notFiled: { en: 'The month is not marked as filed.', bg: 'Месецът не е отбелязан като подаден.' },
  tooLate: {
    en: 'It was filed too long ago to be made again: orders that were deleted since are no longer kept. Correct what was filed with the accountant.',
    bg: 'Подаден е твърде отдавна, за да бъде изготвен отново: изтритите след това поръчки вече не се пазят. Поправете подаденото със счетоводителя.',
  },
  hasOrders: {
    en: 'The month has orders, so its file must be made and filed.',
    bg: 'В месеца има поръчки, затова файлът му трябва да бъде изготвен и подаден.',
  },
  hasFile: { en: 'The month has a file. File it, and mark it as filed.', bg: 'За месеца има файл. Подайте го и го отбележете като подаден.' },
  notEnded: { en: 'The month is not over.', bg: 'Месецът не е свършил.' },
  hasReturns: {
    en: 'The month has returns, which no file can tell. Write how they were dealt with.',
    bg: 'В месеца има върнати суми, които никой файл не може да съобщи. Запишете как са уредени.',
  },
  notOurs: {
    en: 'The shop was not here in this month: a file of it is made where it was then.',
    bg: 'През този месец магазинът още не е бил тук: файлът се изготвя там, където е бил тогава.',
  },
  noShop: { en: 'The shop was deleted meanwhile.', bg: 'Магазинът междувременно е изтрит.' },
  testShop: { en: 'A test shop has no files.', bg: 'Тестовият магазин няма файлове.' },
  justMailed: {
    en: (moment: string): string => `It was mailed just now. It can be mailed again after ${moment}.`,
    bg: (moment: string) => `Току-що беше изпратен. Може да бъде изпратен отново след ${moment}.`,
  },
  blocked: {
    en: 'The file can’t be made. The summary below says what stops it, and what to do about it.',
    bg: 'Файлът не може да бъде изготвен. Справката по-долу казва какво пречи и какво да направите.',
  },
  empty: {
    en: 'The month has no order for a file, and the agency takes none without.',
    bg: 'В месеца няма поръчка за файл, а НАП не приема файл без поръчки.',
  },
  waiting: {
    en: (moment: string): string => `An order was just deleted, and its replacement may be on its way. Try again after ${moment}, or tick the box.`,
    bg: (moment: string) => `Току-що беше изтрита поръчка и заместващата я може да е на път. Опитайте след ${moment} или отметнете полето.`,
  },
});
