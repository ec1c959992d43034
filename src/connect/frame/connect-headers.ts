import { pageHeaders } from '../../console/frame/page-headers.ts';

/**
 * As those of the console; but no other site learns the address, because it is the key. Browsers hold `form-action 'self'` against redirects after a form,
 * too: to a store leads a link, not a form.
 */
export const connectHeaders: Readonly<Record<string, string>> = { ...pageHeaders, 'referrer-policy': 'no-referrer' };
