/** An error in words for the person at the terminal: its message, else its code or name, with its cause. */
export function errorWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(errorWords).join('; ');
  const because = thrown.cause instanceof Error ? ` (${errorWords(thrown.cause)})` : '';
  return `${thrown.message || codeOf(thrown) || thrown.name}${because}`;
}

/** The code that Node, a driver or a client gave an error; '': none. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

/** Who was being answered hung up: no failure of ours. */
export function isHungUp(thrown: unknown): boolean {
  return codeOf(thrown) === 'ERR_STREAM_PREMATURE_CLOSE';
}
