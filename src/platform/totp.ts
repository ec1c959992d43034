import { Secret, TOTP } from 'otpauth';

/** Codes that an app on somebody's phone makes of a secret and the time (RFC 6238): six digits, new each 30 seconds. */
const PERIOD_MS = 30_000;
const SECRET_BYTES = 20;
/** A phone's clock may be behind or ahead by so many periods. */
const WINDOW = 1;

/** In base32, as people type it into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What a QR code says to such an app. */
export function totpAddress({ secret, issuer, label }: { secret: string; issuer: string; label: string }): string {
  return totpOf(secret, { issuer, label }).toString();
}

/** The step of time of which this is the code; null: of none that is near enough. */
export function totpStep(secret: string, { code, at }: { code: string; at: Date }): number | null {
  const timestamp = at.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / PERIOD_MS) + delta;
}

function totpOf(secret: string, about: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...about, secret: Secret.fromBase32(secret), period: PERIOD_MS / 1000 });
}
