import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Dialect } from './dialect.ts';

type SignatureDialect = Pick<Dialect, 'signatureAlgorithm' | 'signatureEncoding'>;

/** The `x-signature` of these exact bytes. */
export function sign(body: Uint8Array | string, secret: string, dialect: SignatureDialect): string {
  return createHmac(dialect.signatureAlgorithm, secret).update(body).digest(dialect.signatureEncoding);
}

/** Constant-time comparison of a claimed `x-signature`. */
export function isSignedBy(claim: { body: Uint8Array; signature: string; secret: string }, dialect: SignatureDialect): boolean {
  const expected = Buffer.from(sign(claim.body, claim.secret, dialect));
  const given = Buffer.from(claim.signature);
  return expected.byteLength === given.byteLength && timingSafeEqual(expected, given);
}
