import { createCipheriv, randomBytes } from 'node:crypto';

/** A text as releases up to 7678b81 sealed it: for no row. */
export function sealedEarlier(key: Buffer, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')}`;
}
