/** What the form of a page that goes to this address would send as it is, but for boxes and choices; an unchosen list sends ''. */
export function formOf(page: string, action: string): Record<string, string[]> {
  const form = page.slice(page.indexOf(`action="${action}"`)).split('</form>')[0] ?? '';
  const fields: Record<string, string[]> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>|<select[^>]*>.*?<\/select>/gs)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name === undefined || /type="(?:checkbox|radio)"/.test(tag)) continue;
    const value = (tag.startsWith('<select') ? /<option value="([^"]*)" selected>/ : /value="([^"]*)"/).exec(tag)?.[1] ?? '';
    fields[name] = [...(fields[name] ?? []), unescaped(value)];
  }
  return fields;
}

/** Text of a page as it was before it was escaped. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
