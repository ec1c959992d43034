const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo ' +
  'frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Of the names that WordPress keeps as they were typed: the letters of Latin 1, and what stands in names of goods and companies. */
const NAMED = new Map([
  ...LATIN.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
    ...{ lsaquo: '‹', rsaquo: '›', hellip: '…', bull: '•', euro: '€', trade: '™', permil: '‰', prime: '′', Prime: '″', minus: '−', le: '≤', ge: '≥' },
    ...{ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ' },
  }),
]);

/** A text as a page of the store shows it: WordPress stores titles and names with HTML entities. Each is decoded once; one that is none, or not known, stays. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#?\w{1,8});/g, (entity, body: string) => (body.startsWith('#') ? numbered(body.slice(1)) : NAMED.get(body)) ?? entity);
}

/** By its code point, such as `8211` or `x2013`; undefined: it is no character of a text. */
function numbered(digits: string): string | undefined {
  if (!/^(\d+|x[\da-f]+)$/i.test(digits)) return undefined;
  const code = Number(/^x/i.test(digits) ? `0${digits}` : digits);
  const isControl = code < 32 || (code > 126 && code < 160);
  const isSurrogate = code > 0xd7ff && code < 0xe000;
  return isControl || isSurrogate || code > 0x10ffff ? undefined : String.fromCodePoint(code);
}
