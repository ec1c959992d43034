/** The anchor of a heading, as GitHub makes it; the site of the docs has the same. */
export function headingAnchor(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
