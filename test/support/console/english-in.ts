/** Elements whose text is no sentence of ours: codes and commands, names and words that others wrote. */
const FOREIGN = ['script', 'style', 'code', 'kbd', 'pre', 'q', 'textarea', 'title', 'address'];

/** The texts of a page, with English words in them: what is between tags, without codes, names and what others said. */
export function englishIn(page: string, names: RegExp): string[] {
  const body = page.slice(page.indexOf('<body'));
  const own = FOREIGN.reduce((text, name) => text.replace(new RegExp(`<${name}\\b[^>]*>.*?</${name}>`, 'gs'), ' '), body);
  const foreign = own.replace(/<(\w+)[^>]*\blang="en"[^>]*>.*?<\/\1>/gs, ' ');
  const said = [...foreign.matchAll(/ (?:placeholder|aria-label|title|alt)="([^"]*)"/g)].map(([, words = '']) => words);
  const texts = [...foreign.split(/<[^>]*>/), ...said].map((text) => plain(text).replace(/\s+/g, ' ').trim());
  return [...new Set(texts.filter((text) => /[A-Za-z]{3}/.test(text.replace(names, ' '))))];
}

function plain(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
