import type { FoundOrder } from '../../../operations/orders/find-orders.ts';
import type { Html } from '../../../web/html.ts';
import { type Tone, tag } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

const tones: Readonly<Record<FoundOrder['state'], Tone>> = {
  waiting: 'quiet',
  queued: 'quiet',
  recorded: 'ok',
  removed: 'quiet',
  review: 'attention',
  settled: 'quiet',
  unconfirmed: 'failing',
  ignored: 'quiet',
};

export function stateTag(state: FoundOrder['state'], { orders: { states } }: Words): Html {
  return tag(states[state], tones[state]);
}
