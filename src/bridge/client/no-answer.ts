/** A call without an answer, or without a whole one. It holds code and words of the error alone, nothing of the request. */
export class NoAnswer extends Error {
  readonly code: string | null;
  /**
   * False only if no byte of the request can have reached the service: there was no connection yet, or no TLS on it. In doubt it is true, and the outcome
   * is unknown; so is that of a kept connection that turns out to be closed.
   */
  readonly mayHaveLeft: boolean;

  constructor(message: string, { code, mayHaveLeft }: { code: string | null; mayHaveLeft: boolean }) {
    super(message);
    this.code = code;
    this.mayHaveLeft = mayHaveLeft;
  }

  static because(error: unknown, { mayHaveLeft }: { mayHaveLeft: boolean }): NoAnswer {
    if (!(error instanceof Error)) return new NoAnswer('unknown error', { code: null, mayHaveLeft });
    const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
    return new NoAnswer(wordsOf(error), { code, mayHaveLeft });
  }
}

// A name with several addresses, none of which could be reached.
function wordsOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each) => (each instanceof Error ? each.message : '')).join('; ');
}
