const KEY_BYTES = 32;

/** A key of 32 bytes from 64 hex digits or base64 (either alphabet); undefined for anything else. */
export function parseKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const key = Buffer.from(trimmed, 'base64');
  return key.byteLength === KEY_BYTES ? key : undefined;
}
