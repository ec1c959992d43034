import { createRequire } from 'node:module';

const ELLIPSIS = '…';

/** Of these each takes one column: Latin, Greek and Cyrillic letters, digits, and the signs of our own texts. */
const PLAIN = /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b€←-↓]*$/;
const require = createRequire(import.meta.url);

/** How many columns of a terminal a text takes: most letters one, an emoji or a Chinese character two. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  // Only then: it takes longer to load than all else that a short command needs.
  const { default: stringWidth }: typeof import('string-width') = require('string-width');
  return stringWidth(text);
}

/** The beginning of a text that is wider than so many columns, with an ellipsis; else the text. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let room = columns - textWidth(ELLIPSIS);
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= textWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}
