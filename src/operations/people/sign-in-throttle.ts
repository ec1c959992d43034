import { networkOf } from '../../platform/http/network-of.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';

const AT_ONCE = 5;
/** 5 a minute. */
const PER_SECOND = 5 / 60;

type Try = { address: string; account: string };

/** Slows those who guess: 5 tries a minute of one network, and 5 for one account, whoever it is. A try that was right costs nothing. */
export class SignInThrottle {
  readonly #networks: TokenBuckets;
  /** Apart, so that invented accounts push out no network. */
  readonly #accounts: TokenBuckets;

  /** `now`: ms, never going back */
  constructor({ now }: { now(): number }) {
    this.#networks = new TokenBuckets({ burst: AT_ONCE, now });
    this.#accounts = new TokenBuckets({ burst: AT_ONCE, now });
  }

  /** Counts a try before it is made; 0, or the ms until the next may be made. */
  take({ address, account }: Try): number {
    const network = networkOf(address);
    const wait = this.#networks.take(network, PER_SECOND);
    if (wait > 0) return wait;
    const held = this.#accounts.take(account.toLowerCase(), PER_SECOND);
    if (held > 0) this.#networks.giveBack(network);
    return held;
  }

  giveBack({ address, account }: Try): void {
    this.#networks.giveBack(networkOf(address));
    this.#accounts.giveBack(account.toLowerCase());
  }
}
