import stringWidth from 'string-width';

const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter();

/** How many columns of a terminal a text takes: most letters one, an emoji or a Chinese character two. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** The beginning of a text that is wider than so many columns, with an ellipsis; else the text. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let room = columns - textWidth(ELLIPSIS);
  for (const { segment } of graphemes.segment(text)) {
    room -= textWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}
