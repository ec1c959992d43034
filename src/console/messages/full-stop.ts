/** Ends a sentence whose last word may be an abbreviation: „преди 9 сек.“ */
export function fullStop(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}
