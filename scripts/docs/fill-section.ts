/** Replaces the text between `<!-- generated: NAME -->` and `<!-- /generated -->`. Throws if the page has no such place. */
export function fillSection(page: string, name: string, lines: readonly string[]): string {
  const opening = `<!-- generated: ${name} -->`;
  const closing = '<!-- /generated -->';
  const from = page.indexOf(opening);
  const to = page.indexOf(closing, from);
  if (from < 0 || to < 0) throw new Error(`the page has no ${opening} … ${closing}`);
  return [page.slice(0, from) + opening, '', ...lines, '', page.slice(to)].join('\n');
}
