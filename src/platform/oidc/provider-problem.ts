import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { codeOf } from '../error-words.ts';

/** away: it does not answer, or not as one. denied: it let nobody in. refused: what came back does not hold, or our client is not taken. */
export type ProviderProblemKind = 'away' | 'denied' | 'refused';

/** Why nobody could be recognised. `code` is for the log: of the library, the provider or the network, never a value that was sent. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem';
  readonly kind: ProviderProblemKind;
  readonly code: string;

  constructor(kind: ProviderProblemKind, code: string, cause?: unknown) {
    super(`the identity provider: ${kind} (${code})`, { cause });
    this.kind = kind;
    this.code = code;
  }
}

const AWAY: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']);
const LONGEST = 60;

/** Describes what the library threw; anything else is thrown on. */
export function problemOf(thrown: unknown): ProviderProblem {
  if (thrown instanceof ProviderProblem) return thrown;
  if (thrown instanceof AuthorizationResponseError) return new ProviderProblem('denied', plain(thrown.error), thrown);
  if (thrown instanceof ResponseBodyError) return new ProviderProblem(thrown.status >= 500 ? 'away' : 'refused', plain(thrown.error), thrown);
  if (thrown instanceof ClientError) {
    const code = thrown.code ?? 'unexpected';
    return new ProviderProblem(AWAY.has(code) ? 'away' : 'refused', code, thrown);
  }
  // As fetch fails.
  if (thrown instanceof TypeError) return new ProviderProblem('away', networkCode(thrown), thrown);
  throw thrown;
}

/** Codes of OAuth are short words; what is none is not repeated. */
function plain(code: string): string {
  return /^[a-z_]+$/.test(code) && code.length <= LONGEST ? code : 'unknown';
}

function networkCode({ cause }: TypeError): string {
  return codeOf(cause) || 'no answer';
}
