import { monthName } from '../../../contract/local-text.ts';
import { counted } from '../../../contract/plural.ts';
import { CORRECTION_DAYS } from '../../law/deadlines.ts';
import { savingWords } from './attached.ts';
import { filingTime, statusOf, timeLeft } from './month-status.ts';
import type { FileVersion, MonthSummary } from './month-summary.ts';
import { ordersInWords } from './outstanding-words.ts';
import type { SummaryStep } from './summary-page.ts';
import { BY_REPLY, CAUTION, places, type WayToAct } from './ways-to-act.ts';

/** A month, and how its reader says what they did. */
type AddressedSummary = MonthSummary & { way: WayToAct };

/** The steps for the merchant now, or for a filed month the possible ones. */
export function stepsOf(summary: MonthSummary, way: WayToAct): readonly SummaryStep[] {
  const steps = stepsNow({ ...summary, way });
  return way.kind === 'link' ? [...steps, step(CAUTION)] : steps;
}

function stepsNow(summary: AddressedSummary): readonly SummaryStep[] {
  const { situation } = summary;
  switch (situation.kind) {
    case 'open':
      return [...recording(summary), ...(statusOf(summary) === 'overdue' ? makingNow(summary) : waiting(summary))];
    case 'generated':
      if (statusOf(summary) === 'outdated') return remaking(summary, situation.file);
      return [...recording(summary), compare(), ...filing(summary, situation.file), markFiled(summary)];
    case 'filed':
      return afterFiling(summary);
    case 'rejected':
      return [...recording(summary), ...correcting(summary, situation.file)];
    case 'blocked':
      return [...recording(summary), ...(situation.errors.length === 0 ? waitingForRates(summary) : unblocking(summary))];
    case 'test':
      return [step('Не е нужно да правите нищо. За истински продажби създайте магазин с обикновен ключ.')];
    case 'empty':
    case 'returns-only':
      return [...recording(summary), ...withoutOrders(summary)];
    case 'nothing':
      return [...recording(summary), step('Не е нужно да правите нищо. Ако за този месец все пак бъде записана поръчка, файлът ще бъде изготвен.')];
    case 'not-ours':
      return [
        ...recording(summary),
        step('Не е нужно да правите нищо тук. Ако за този месец се дължи файл, той се изготвя от програмата, с която магазинът е работил тогава.'),
      ];
  }
}

function waiting({ outstanding }: MonthSummary): readonly SummaryStep[] {
  if (outstanding !== undefined) return [step('Когато файлът бъде изготвен, ще го получите по електронната поща.')];
  return [step('Засега не е нужно да правите нищо. Когато файлът бъде изготвен, ще го получите по електронната поща.')];
}

function makingNow(summary: AddressedSummary): readonly SummaryStep[] {
  return [act(summary, ['generate'], (place) => `Изгответе файла сега${place}.`), step(`Подайте изготвения файл в НАП ${filingTime(summary, 'bg')}`)];
}

/** A version that lacks changes is not to be filed, but somebody may have done it already. */
function remaking(summary: AddressedSummary, { version }: FileVersion): readonly SummaryStep[] {
  const { outstanding } = summary;
  return [
    ...recording(summary),
    ...(outstanding === undefined ? [generateAgain(summary)] : []),
    step(`Сверете новата версия със счетоводството си и подайте нея в НАП ${filingTime(summary, 'bg')}`),
    act(
      summary,
      ['mark-filed', '--version', String(version), '--as-is', ...(outstanding === undefined ? [] : ['--without-outstanding'])],
      (place) =>
        `Само ако версия ${version} вече е подадена и трябва да остане, отбележете я като подадена така${place}; промените ще влязат в следващи файлове.`,
    ),
  ];
}

type Command = readonly ['generate' | 'mark-filed' | 'mark-rejected' | 'nothing-to-file', ...options: string[]];

/** By a command or an answer, or `place`: where the reader has a form for it. */
function act({ shop, month, way }: AddressedSummary, [name, ...options]: Command, words: (place: string) => string): SummaryStep {
  if (way.kind === 'reply') return step(`${words('')} ${BY_REPLY}`);
  if (way.kind !== 'command') return step(words(` ${places[way.kind]}`));
  const line = ['orderbridge service audit', name, '--shop', shop.id, '--month', month, ...options].join(' ');
  return step(`${words('')} Ако друг поддържа услугата, изпратете му тази команда:`, line);
}

function step(words: string, command: string | null = null): SummaryStep {
  return { words, command };
}

/** Orders that are recorded later are listed later, so this is the first thing to do. */
function recording(summary: AddressedSummary): readonly SummaryStep[] {
  if (summary.outstanding === undefined) return [];
  const first = 'Нека първо бъдат записани поръчките, изброени по-горе.';
  return [
    summary.way.kind === 'command'
      ? step(`${first} Командата показва какво пречи на всяка от тях и какво да се направи. Ако друг поддържа услугата, изпратете му я:`, 'orderbridge review')
      : step(`${first} Ако друг поддържа услугата, пишете му: той вижда какво пречи на всяка от тях.`),
    ...('file' in summary.situation ? [generateAgain(summary)] : []),
  ];
}

function compare(): SummaryStep {
  return step('Сверете сумите по-долу със счетоводството си. Ако нещо не е вярно, поправете го, преди да подадете файла, и изгответе нова версия.');
}

function filing(summary: MonthSummary, file: FileVersion): readonly SummaryStep[] {
  return [
    step(savingWords(summary, file)),
    step(
      `Влезте с квалифициран електронен подпис (КЕП) в портала за електронни услуги на НАП, изберете подаване на стандартизиран одиторски файл и изпратете файла ${filingTime(summary, 'bg')}`,
    ),
    step('Запазете входящия номер и проверете съобщението на НАП за резултата: файлът се обработва след подаването и съобщението може да дойде по-късно.'),
  ];
}

function markFiled(summary: AddressedSummary): SummaryStep {
  if (summary.outstanding === undefined)
    return act(summary, ['mark-filed'], (place) => `Отбележете файла${place} като подаден, с входящия му номер, за да не получавате напомняния.`);
  const later = 'Ако файлът трябва да бъде подаден без тези поръчки, те ще влязат в по-късен файл.';
  return act(summary, ['mark-filed', '--without-outstanding'], (place) => `${later} Тогава го отбележете като подаден така${place}.`);
}

function afterFiling(summary: AddressedSummary): readonly SummaryStep[] {
  return [
    step('Проверете в портала на НАП дали файлът е приет. Ако е приет, не е нужно да правите нищо повече.'),
    act(summary, ['mark-rejected'], (place) => `Ако НАП съобщи за грешки, отбележете файла като върнат${place}, за да може да бъде изготвен нов.`),
  ];
}

function generateAgain(summary: AddressedSummary): SummaryStep {
  return act(summary, ['generate'], (place) => `Изгответе файла отново${place}.`);
}

function correcting(summary: AddressedSummary, { name }: FileVersion): readonly SummaryStep[] {
  return [
    step('Прочетете в портала на НАП съобщението с изброените грешки и го покажете на счетоводителя си.'),
    step('Поправете данните. Записана поръчка не се променя: тя се изтрива и се създава отново с верните данни.'),
    generateAgain(summary),
    step(
      `Подайте новата версия вместо „${name}“ в срок от ${counted.bg(CORRECTION_DAYS, 'ден', 'дни')} от съобщението на НАП (чл. 102, ал. 4 от ДОПК). Новата версия изцяло заменя предишната.`,
    ),
    markFiled(summary),
  ];
}

function unblocking(summary: AddressedSummary): readonly SummaryStep[] {
  return [
    step('Отстранете пречките, изброени по-долу. При всяка е написано какво да направите.'),
    generateAgain(summary),
    step(`Подайте изготвения файл в НАП ${filingTime(summary, 'bg')} Ще го получите по електронната поща заедно с указания.`),
  ];
}

// Rates are the business of who runs the service, never of the merchant.
function waitingForRates(summary: MonthSummary): readonly SummaryStep[] {
  return [
    step('Засега не е нужно да правите нищо: щом липсващите курсове бъдат въведени, файлът се изготвя сам и ще го получите по електронната поща.'),
    step(`След това го подайте в НАП ${filingTime(summary, 'bg')} Ако дотогава не го получите, обадете се на този, който поддържа услугата.`),
  ];
}

function withoutOrders(summary: AddressedSummary): readonly SummaryStep[] {
  const { month, leftOut, figures } = summary;
  return [
    ...outdatedStep(summary),
    step(`Проверете в магазина дали през ${monthName(month, 'bg')} наистина няма платени и изпълнени поръчки. Ако има, те трябва да бъдат записани и тук.`),
    ...(leftOut.orders > 0 ? [leftOutStep(summary)] : []),
    step(
      `Попитайте счетоводителя си или НАП как да постъпите. ${timeLeft(summary, 'bg')} Наредба Н-18 изисква файл за всеки календарен месец, а схемата на НАП не допуска файл без поръчки; не ни е известно официално указание за този случай.`,
    ),
    ...(figures.returns > 0 ? [returnsStep(summary)] : []),
    step('Запазете тази справка: тя показва, че файл не е бил изготвен, защото няма поръчки.'),
    figures.returns > 0 ? settleReturns(summary) : settleNothing(summary),
  ];
}

function settleReturns(summary: AddressedSummary): SummaryStep {
  const words = (place: string) =>
    `Когато се разберете с него как са отразени върнатите суми, отбележете го${place} с бележка: дотогава те остават на страниците на следващите месеци.`;
  return act(summary, ['nothing-to-file', '--with-returns', '--note', 'NOTE'], words);
}

function settleNothing(summary: AddressedSummary): SummaryStep {
  const words = (place: string) => `Ако с него се разберете, че няма какво да се подава, отбележете го${place}.${othersWords(summary)}`;
  return act(summary, ['nothing-to-file', '--note', 'NOTE'], words);
}

/** One mail is about all empty months of a shop. */
function othersWords({ situation }: MonthSummary): string {
  const others = (situation.kind === 'empty' && situation.others) || [];
  return others.length === 0 ? '' : ` Без поръчки и още неотбелязани са и: ${others.map((other) => monthName(other, 'bg')).join(', ')}`;
}

function outdatedStep({ situation }: MonthSummary): readonly SummaryStep[] {
  if ((situation.kind !== 'empty' && situation.kind !== 'returns-only') || situation.outdated === undefined) return [];
  return [step(`Не подавайте изготвената по-рано версия ${situation.outdated}: поръчките в нея вече са изтрити.`)];
}

function leftOutStep({ leftOut, currency }: MonthSummary): SummaryStep {
  return step(
    `По настройка на магазина ${ordersInWords(leftOut, currency)} без документ за продажба не се включват във файла. Ако те трябва да се включат, променете настройката (auditNoReceiptOrders) и изгответе файла отново.`,
  );
}

function returnsStep({ figures }: MonthSummary): SummaryStep {
  return step(
    `Дайте на счетоводителя си и списъка на върнатите суми по-долу (${counted.bg(figures.returns, 'връщане', 'връщания')}): без поръчки и те не могат да бъдат подадени с файл.`,
  );
}
