import { createHmac, timingSafeEqual } from 'node:crypto';

/** The settings for what the service's documentation leaves open. `orderbridge doctor` prints them all. */
export type Dialect = {
  signatureAlgorithm: 'sha256' | 'sha512' | 'sha1';
  signatureEncoding: 'hex' | 'base64';
  /** A request without a body signs the empty string, or has no x-signature at all. */
  signatureEmptyBody: 'empty-string' | 'omit';
  /** Unit of `price` and `discount`: 12.9, or 1290. A wrong setting is off by a factor of 100. */
  amounts: 'decimal' | 'minor';
  /** `vatRate` 20 or 0.2. */
  vatRate: 'percent' | 'fraction';
  /** May a create be resent safely under its Idempotency-Key? The header is sent either way. */
  idempotencyKey: 'supported' | 'ignored';
};

/** The dialect of the embedded service. */
export const embeddedDialect: Dialect = {
  signatureAlgorithm: 'sha256',
  signatureEncoding: 'hex',
  signatureEmptyBody: 'empty-string',
  amounts: 'decimal',
  vatRate: 'percent',
  idempotencyKey: 'supported',
};

/** What a service offers beyond the documented interface, so that it can be told of it. */
export type Extensions = {
  /** `POST /service/v1/orders/{id}/forget-buyer` */
  forgetsBuyers: 'supported' | 'no';
  /** `PUT /service/v1/orders/{id}/delivered` */
  delivered: 'supported' | 'no';
};

/** The embedded service offers all. */
export const embeddedExtensions: Extensions = { forgetsBuyers: 'supported', delivered: 'supported' };

export const NO_EXTENSIONS: Extensions = { forgetsBuyers: 'no', delivered: 'no' };

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
