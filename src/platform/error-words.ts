/** An error in words for the person at the terminal: its message, else its code or name, with its cause. */
export function errorWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(errorWords).join('; ');
  const because = thrown.cause instanceof Error ? ` (${errorWords(thrown.cause)})` : '';
  return `${thrown.message || codeOf(thrown) || thrown.name}${because}`;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
