import type { FoundOrder } from '../../../operations/orders/find-orders.ts';
import { storePauseWords } from '../../../operations/orders/why-not-sent.ts';
import { codeMeans } from '../../../operations/words.ts';
import type { Html } from '../../../web/html.ts';
import { problemText, type Tone, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

/** What people call an order. */
export function numberOf({ number, orderId }: { number: string | null; orderId: string }): string {
  return number ?? orderId;
}

const tones: Readonly<Record<FoundOrder['state'], Tone>> = {
  waiting: 'quiet',
  queued: 'quiet',
  recorded: 'ok',
  removed: 'quiet',
  review: 'attention',
  resolved: 'quiet',
  unconfirmed: 'failing',
  ignored: 'quiet',
};

export function stateTag(state: FoundOrder['state'], { orders: { states } }: Words): Html {
  return tag(states[state], tones[state]);
}

type LabelledOrder = Pick<FoundOrder, 'state' | 'review' | 'pause' | 'ignored'>;

/** Why an order is as it is, in words; '' where its state says it all. */
export function whyWords({ state, review, pause, ignored }: LabelledOrder, { orders: { why }, lang }: Words): string {
  if (review !== null) return problemText(review, lang);
  const byStore = pause === null ? null : storePauseWords(pause);
  if (byStore !== null) return why.pausedByStore(byStore[lang]);
  if (pause !== null) return why.paused(codeMeans(pause.code, lang));
  switch (state) {
    case 'ignored':
      return ignored === null ? '' : (why.ignored[ignored] ?? '');
    case 'waiting':
      return why.waiting;
    case 'unconfirmed':
      return why.unconfirmed;
    case 'removed':
      return why.removed;
    case 'resolved':
      return why.resolvedByHand;
    default:
      return '';
  }
}
