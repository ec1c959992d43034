import { RequestError } from 'got';

/**
 * True only if no byte of the request can have reached the service: there was no connection yet, or no TLS on it. In doubt it is false, and the
 * outcome is unknown; so is a kept connection that turns out to be closed.
 */
export function wasNotSent(error: unknown): boolean {
  if (!(error instanceof RequestError) || error.request?.reusedSocket === true) return false;
  if (error.code === 'ERR_INVALID_URL') return true;
  const { timings } = error;
  if (timings === undefined) return false;
  return timings.connect === undefined || (isSecure(error) && timings.secureConnect === undefined);
}

function isSecure({ options }: RequestError): boolean {
  return options.url instanceof URL && options.url.protocol === 'https:';
}
