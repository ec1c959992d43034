import type { Counted, StartPreview } from '../../operations/trial/preview-start.ts';
import { en } from '../words/en.ts';

/** What starting would record, for the terminal. */
export function previewLines({ from, known, asked, unknown, whyUnknown }: StartPreview): string[] {
  const { start: say } = en.stores;
  return [
    say.known(from, counted(known)),
    ...asked.map(({ code, orders }) => say.asked(orders, code)),
    ...(unknown === null || unknown.orders === 0 ? [] : [say.unknown(counted(unknown))]),
    ...(whyUnknown === null ? [] : [say.whyUnknown(whyUnknown.en)]),
  ];
}

function counted({ orders, sum }: Counted): string {
  return sum === null ? String(orders) : `${orders}, ${sum}`;
}
