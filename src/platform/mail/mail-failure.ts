import type { MailResult, RefusedRecipient } from './mail-message.ts';

type SmtpError = { code: string; command: string; message: string; response: string; responseCode: number | null; rejected: readonly Refused[] };
type Refused = { recipient: string; responseCode: number | null; response: string };

/** The result for each address (in the form of `plainAddress`) of a try that threw. Servers quote addresses, so only their codes are passed on. */
export function failedTry(thrown: unknown, to: readonly string[]): MailResult {
  const error = readError(thrown);
  if (error.rejected.length > 0) return { accepted: [], ...refusedOf(error.rejected, to), ...sizeOf(error.rejected) };
  const size = exceedsLimit(error) ? TOO_LARGE : sizeOf([error]);
  const permanent = 'tooLarge' in size || (error.command === 'DATA' && isPermanent(error.responseCode));
  return { accepted: [], refused: to.map((address) => ({ address, permanent })), why: wordsFor(error), ...size };
}

/** The result of a try that did not throw: which recipients the server took. */
export function partialTry(info: unknown, to: readonly string[]): MailResult {
  const rejected = rejectedOf(info);
  if (rejected.length === 0) return { accepted: to, refused: [], why: null };
  const { refused, why } = refusedOf(rejected, to);
  const without = new Set(refused.map(({ address }) => address));
  return { accepted: to.filter((address) => !without.has(address)), refused, why };
}

const TOO_LARGE = { tooLarge: true } as const;
/** RFC 5321: beyond the storage that is granted. */
const SIZE_CODES: readonly (number | null)[] = [552, 523];
/** RFC 3463: the mailbox is full, the mail is longer than allowed there, or larger than the system takes. */
const SIZE_STATUS = /^5\d\d[ -]5\.(2\.2|2\.3|3\.4)\b/;

function sizeOf(refusals: readonly Pick<SmtpError, 'response' | 'responseCode'>[]): Pick<MailResult, 'tooLarge'> {
  return refusals.some(({ response, responseCode }) => SIZE_CODES.includes(responseCode) || SIZE_STATUS.test(response)) ? TOO_LARGE : {};
}

// The server said in its greeting what it takes, so that nothing was sent.
function exceedsLimit({ code, message }: SmtpError): boolean {
  return code === 'EMESSAGE' && message.startsWith('Message size larger than allowed');
}

// If the server names as many as there are, it refused the whole mail: recipients that it did not name got nothing either.
function refusedOf(rejected: readonly Refused[], to: readonly string[]): { refused: RefusedRecipient[]; why: string } {
  const isWhole = rejected.length >= to.length;
  const refused = to.flatMap((address) => {
    const one = rejected.find(({ recipient }) => recipient === address);
    return one === undefined && !isWhole ? [] : [{ address, permanent: isPermanent(one?.responseCode ?? null) }];
  });
  const codes = [...new Set(rejected.map(({ response, responseCode }) => statusOf(response, responseCode)))].join(', ');
  return { refused, why: `the mail server refused ${refused.length} of ${to.length} recipients (${codes})` };
}

const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refused the user or password: check SMTP_URL',
  ENOAUTH: 'the mail server wants a user and password: put them into SMTP_URL',
  ETLS: 'no encrypted connection could be made: the mail server offers no TLS, or its certificate is not trusted; TRUSTED_HTTP_HOSTS may name one on a private network',
  EDNS: 'the name of the mail server was not found: check SMTP_URL',
  ETIMEDOUT: 'the mail server did not answer in time',
  EABORT: 'the mail server did not take the mail in time',
  ECONNECTION: 'the connection to the mail server broke, or could not be made',
  ESOCKET: 'the connection to the mail server broke, or could not be made',
  EPROTOCOL: 'the mail server answered something that is no SMTP',
};

function wordsFor(error: SmtpError): string {
  const { code, command, response, responseCode } = error;
  if (exceedsLimit(error)) return 'the mail is larger than the mail server takes';
  const status = statusOf(response, responseCode);
  const after = status === '' ? '' : ` (${status})`;
  const words = WORDS[code];
  if (words !== undefined) return `${words}${after}`;
  if (responseCode !== null) return `the mail server refused ${command === 'MAIL FROM' ? 'the sender: check MAIL_FROM' : 'the mail'}${after}`;
  return `the mail could not be sent${code === '' ? '' : ` (${code})`}`;
}

// "550 5.1.1 <ivan@…>: unknown" becomes "550 5.1.1".
function statusOf(response: string, responseCode: number | null): string {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0].replace('-', ' ') ?? (responseCode === null ? '' : String(responseCode));
}

function isPermanent(responseCode: number | null): boolean {
  return responseCode !== null && responseCode >= 500;
}

function readError(thrown: unknown): SmtpError {
  return {
    code: isDistrust(thrown) ? 'ETLS' : textOf(thrown, 'code'),
    command: textOf(thrown, 'command'),
    message: textOf(thrown, 'message'),
    response: textOf(thrown, 'response'),
    responseCode: numberOf(thrown, 'responseCode'),
    rejected: rejectedOf(thrown),
  };
}

// nodemailer reports an untrusted certificate like any broken socket; only the message differs.
function isDistrust(thrown: unknown): boolean {
  return textOf(thrown, 'code') === 'ESOCKET' && /certificate|altnames/i.test(textOf(thrown, 'message'));
}

function rejectedOf(carrier: unknown): Refused[] {
  const errors = fieldOf(carrier, 'rejectedErrors');
  if (!Array.isArray(errors)) return [];
  return errors.map((error: unknown) => ({
    recipient: textOf(error, 'recipient'),
    responseCode: numberOf(error, 'responseCode'),
    response: textOf(error, 'response'),
  }));
}

function fieldOf(carrier: unknown, name: string): unknown {
  return typeof carrier === 'object' && carrier !== null ? Reflect.get(carrier, name) : undefined;
}

function textOf(carrier: unknown, name: string): string {
  const value = fieldOf(carrier, name);
  return typeof value === 'string' ? value : '';
}

function numberOf(carrier: unknown, name: string): number | null {
  const value = fieldOf(carrier, name);
  return typeof value === 'number' ? value : null;
}
