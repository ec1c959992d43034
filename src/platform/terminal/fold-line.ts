import { textWidth } from './text-width.ts';

/** What following lines are indented by: a list's mark, or a field's name and the gap after it. */
const HEAD = /^\s*(?:(?:[-!→✗✓]|\d+\.) +|\S(?:[^\s`]| (?! ))* {2,})?/u;
/** A command in backquotes is one word, so that it can be copied. */
const WORDS = /`[^`]+`[^\s`]*|\S+/g;

/** Each line of a text so; undefined: as it is. */
export function foldText(text: string, width: number | undefined): string {
  return width === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => foldLine(line, width))
        .join('\n');
}

/** A line in lines of at most `width` columns, broken at spaces; a single longer word, such as an address, stays whole. */
export function foldLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const [found = ''] = HEAD.exec(line) ?? [];
  const head = textWidth(found) <= width / 2 ? found : (/^\s*/.exec(line)?.[0] ?? '');
  const indent = ' '.repeat(textWidth(head));
  const room = width - indent.length;
  const words = (line.slice(head.length).match(WORDS) ?? []).flatMap((word) => (textWidth(word) > room ? word.split(' ') : [word]));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(last) + 1 + textWidth(word) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((text, at) => (at === 0 ? head : indent) + text);
}
