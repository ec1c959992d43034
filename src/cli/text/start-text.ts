import type { Lang } from '../../contract/said.ts';
import type { Counted, StartPreview } from '../../operations/trial/preview-start.ts';
import { wordsFor } from '../words/words.ts';

/** What starting would record, for the terminal. */
export function previewLines({ from, known, asked, unknown, whyUnknown }: StartPreview, lang: Lang): string[] {
  const { start: say } = wordsFor({ lang }).stores;
  return [
    say.known(from, counted(known)),
    ...asked.map(({ code, orders }) => say.asked(orders, code)),
    ...(unknown === null || unknown.orders === 0 ? [] : [say.unknown(counted(unknown))]),
    ...(whyUnknown === null ? [] : [say.whyUnknown(whyUnknown[lang])]),
  ];
}

function counted({ orders, sum }: Counted): string {
  return sum === null ? String(orders) : `${orders}, ${sum}`;
}
