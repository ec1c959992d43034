const UNSENT_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ERR_INVALID_URL',
  'EPROTO',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
]);
const UNSENT_PHASES = new Set(['lookup', 'connect', 'secureConnect']);

/** True only if no byte of the request can have reached the service; in doubt it is false, and the outcome is unknown. */
export function wasNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('event' in error && typeof error.event === 'string') return UNSENT_PHASES.has(error.event);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (UNSENT_CODES.has(code) || code.startsWith('ERR_SSL_')) return true;
  // Node tries several addresses of one name; all of them failed before anything was sent.
  return error.cause instanceof AggregateError ? error.cause.errors.every(wasNotSent) : false;
}
