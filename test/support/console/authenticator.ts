import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { formOf } from './form-of.ts';

const PERIOD_MS = 30_000;
/** What a request takes at most on a busy machine. */
const SENT_MS = 10_000;

/** An app that makes codes, as the page that sets it up says. */
export class Authenticator {
  readonly #totp: TOTP;
  /** What the form of that page brings back. */
  readonly kept: string;

  constructor(page: string, action = '/console/account/factor') {
    const [, secret = ''] = /<pre class="secret">([A-Z2-7 ]+)<\/pre>/.exec(page) ?? [];
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
    this.kept = formOf(page, action)['kept']?.[0] ?? '';
  }

  /** `later`: of so many steps of time after now; one may be used beforehand. */
  code(later = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + later * PERIOD_MS });
  }

  /** Of the step before, so that the code of now is left for what follows. It is refused once the next step begins: near its end, that is waited for. */
  async earlierCode(): Promise<string> {
    const left = PERIOD_MS - (Date.now() % PERIOD_MS);
    // A timer may be early.
    if (left < SENT_MS) await sleep(left + 100);
    return this.code(-1);
  }
}

/** What it would make of a secret now. */
export const codeOfSecret = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** The recovery codes that a page shows once. */
export function codesOn(page: string): string[] {
  return [...page.matchAll(/\b[A-Z2-9]{4}(?:-[A-Z2-9]{4}){5}\b/g)].map(([code]) => code);
}
