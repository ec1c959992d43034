import { codeMeans } from '../../../operations/orders/code-means.ts';
import type { FoundOrder } from '../../../operations/orders/find-orders.ts';
import { storeHoldWords } from '../../../operations/orders/held-words.ts';
import { problemWords } from '../../../operations/words/problem-words.ts';
import type { Words } from '../../words/words.ts';

type Known = Pick<FoundOrder, 'state' | 'review' | 'held' | 'ignored'>;

/** Why an order is as it is, in words; '' where its state says it all. */
export function whyWords({ state, review, held, ignored }: Known, { orders: { why }, lang }: Words): string {
  if (review !== null) return problemWords(review, lang);
  const byStore = held === null ? null : storeHoldWords(held);
  if (byStore !== null) return why.heldByStore(byStore[lang]);
  if (held !== null) return why.held(codeMeans(held.code, lang));
  switch (state) {
    case 'ignored':
      return ignored === null ? '' : (why.ignored[ignored] ?? '');
    case 'waiting':
      return why.waiting;
    case 'unconfirmed':
      return why.unconfirmed;
    case 'removed':
      return why.removed;
    case 'settled':
      return why.settledByHand;
    default:
      return '';
  }
}
