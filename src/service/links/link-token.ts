import type { Sealer } from '../../platform/seal.ts';

/** Makes what only those can make who have the key. */
export type Digest = Pick<Sealer, 'digest'>;

/**
 * The token of a link: 132 bits that follow from its random id and the key alone, so that a repeated mail bears the same link although only a hash of it
 * is stored.
 */
export function tokenOf({ digest }: Digest, linkId: string): string {
  return digest(`month link ${linkId}`);
}

/** By which a recipient is known without his address. */
export function recipientMark({ digest }: Digest, address: string): string {
  return digest(`month recipient ${address.trim().toLowerCase()}`);
}

/** Proves that a form is of the page behind a link. */
export function formToken({ digest }: Digest, linkId: string): string {
  return digest(`month form ${linkId}`);
}
