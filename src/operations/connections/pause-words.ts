import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { FailureCode } from '../../bridge/order/failure.ts';
import { ownValue } from '../../contract/own-value.ts';

type Paused = Pick<Pause, 'code' | 'shopId' | 'detail'>;

/** Why nothing is sent there, as a sentence without its full stop: “the compliance service does not know this shop”. */
export function pauseReason({ code, shopId, detail }: Paused): string {
  if (code === 'compliance.misconfigured') return refusal(shopId, detail);
  return ownValue<string>(reasons, code) ?? `the compliance service is paused (${code})`;
}

const reasons = {
  'compliance.unreachable': 'the compliance service can’t be reached',
  'compliance.throttled': 'the compliance service answers that requests must wait',
  'compliance.failing': 'the compliance service fails for every order',
  'compliance.insecure': 'the address of the compliance service is http://, so that its key would be sent in the clear',
} satisfies Partial<Record<FailureCode, string>>;

/** The detail begins with the status that was answered. */
function refusal(shopId: string | null, detail: string): string {
  if (shopId !== null) return detail.startsWith('403') ? 'the compliance service refuses this shop' : 'the compliance service does not know this shop';
  return detail.startsWith('401') || detail.startsWith('403')
    ? 'the compliance service refuses the key'
    : 'the compliance service does not know the key, the shop or the address';
}
