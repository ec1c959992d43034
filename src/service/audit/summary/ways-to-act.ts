import type { Block, Step } from './summary-page.ts';

/** How the reader says what they did: by a command, by the link to the month's page, on that page itself, or there, but what they read bears no link. */
export type Way = { kind: 'command' } | { kind: 'link'; url: string } | { kind: 'page' } | { kind: 'elsewhere' };

export const BY_COMMAND: Way = { kind: 'command' };

/** `link`: to the month's page; null: there is none. */
export function wayOf(link: string | null): Way {
  return link === null ? BY_COMMAND : { kind: 'link', url: link };
}

/** The link itself, above the steps that need it. */
export function linkBlock(way: Way): readonly Block[] {
  return way.kind === 'link' ? [{ kind: 'link', words: LINK_WORDS, href: way.url }] : [];
}

const LINK_WORDS = 'Страница на месеца: файлове, „подаден“, „върнат от НАП“, изготвяне наново';
const CAUTION = 'Връзката е само за вас: който я има, може да вижда и отбелязва месеците, които получавате.';

const places = {
  link: 'на страницата на месеца (връзката е по-горе)',
  page: 'с формата на тази страница',
  elsewhere: 'на страницата на месеца',
} as const satisfies Record<Exclude<Way['kind'], 'command'>, string>;

/** The steps without the commands that the month's page has as forms. */
export function waysToAct(steps: readonly Step[], way: Way): readonly Step[] {
  if (way.kind === 'command') return steps;
  const place = places[way.kind];
  const mine = steps.map((step) => ofPage(step, place));
  return way.kind === 'link' ? [...mine, { words: CAUTION, command: null }] : mine;
}

function ofPage(step: Step, place: string): Step {
  const words = wordsFor(step.command ?? '', place);
  return words === null ? step : { words, command: null };
}

function wordsFor(command: string, place: string): string | null {
  const [, act] = /^orderbridge service audit ([a-z-]+) /.exec(command) ?? [];
  switch (act) {
    case 'mark-filed':
      if (command.includes('--as-is'))
        return `Само ако по-ранна версия вече е подадена и трябва да остане, отбележете я като подадена така ${place}; промените ще влязат в следващи файлове.`;
      return command.includes('--without-outstanding')
        ? `Ако файлът трябва да бъде подаден без тези поръчки, те ще влязат в по-късен файл. Тогава го отбележете така ${place}.`
        : `Отбележете файла като подаден, с входящия му номер, ${place}, за да не получавате напомняния.`;
    case 'mark-rejected':
      return `Ако НАП съобщи за грешки, отбележете файла като върнат ${place}, за да може да бъде изготвен нов.`;
    case 'generate':
      return `Изгответе файла отново ${place}.`;
    case 'nothing-to-file':
      if (command.includes('--with-returns'))
        return `Когато се разберете със счетоводителя си как са отразени върнатите суми, отбележете го с бележка ${place}: дотогава те остават на страниците на следващите месеци.`;
      return `Ако счетоводителят ви потвърди, че за месеца няма какво да се подаде, отбележете го ${place}.`;
    default:
      return null;
  }
}
