const OPEN = /<div id="([^"]+)" data-live="">/g;
const TAG = /<(\/?)div\b[^>]*>/g;

/** The parts of a page that `live` made, by id: what is between their tags. */
export function partsOf(markup: string): { id: string; markup: string }[] {
  return [...markup.matchAll(OPEN)].map((found) => {
    const from = found.index + found[0].length;
    return { id: found[1] ?? '', markup: markup.slice(from, endOf(markup, from)) };
  });
}

/** Where the element ends whose content begins there. */
function endOf(markup: string, from: number): number {
  let depth = 1;
  TAG.lastIndex = from;
  for (let tag = TAG.exec(markup); tag !== null; tag = TAG.exec(markup)) {
    depth += tag[1] === '/' ? -1 : 1;
    if (depth === 0) return tag.index;
  }
  return markup.length;
}
