type Said = { words: string; advice: string };
type Pattern = { message: RegExp; say(parts: readonly string[]): Said };

const LONGEST = 300;

const REPAIR = 'Make the file anew; if it was edited by hand, repair this place.';

/** The messages of libxml2 in our words. Each pattern matches a message of its parser or schema validator; its groups are the parts. */
const patterns: readonly Pattern[] = [
  {
    message: /^Opening and ending tag mismatch: (\S+) line \d+ and (\S+)/,
    say: ([opened, closed]) => ({ words: `<${opened}> is not closed before </${closed}>`, advice: REPAIR }),
  },
  {
    message: /^Premature end of data in tag (\S+) line \d+/,
    say: ([opened]) => ({ words: `<${opened}> is not closed before the end`, advice: REPAIR }),
  },
  {
    message: /^Element '(.+?)': Missing child element\(s\)\. Expected is (?:one of )?\( (.+) \)/,
    say: ([element, missing = '']) => ({ words: `<${element}> lacks ${withoutOptional(missing)}`, advice: 'Add what is missing.' }),
  },
  {
    message: /^Element '(.+?)': This element is not expected\.(?: Expected is (?:one of )?\( (.+) \))?/,
    say: ([element = '', expected]) => ({
      words: `<${element}> is not expected here${expected === undefined ? '' : `; expected: ${expected}`}`,
      advice: element === element.toLowerCase() ? 'Remove it, or its repetition; the names are fixed.' : 'Write the names of elements in lower case.',
    }),
  },
  {
    message: /^Element '(.+?)': \[facet 'maxLength'\] The value has a length of '(\d+)'; .* maximum length of '(\d+)'/,
    say: ([element, length, limit]) => ({ words: `<${element}> has ${length} characters, ${limit} are allowed`, advice: 'Shorten it.' }),
  },
  {
    message: /^Element '(.+?)': \[facet 'minLength'\] The value has a length of '(\d+)'; .* minimum length of '(\d+)'/,
    say: ([element, length, limit]) => ({ words: `<${element}> has ${length} characters, ${limit} are needed`, advice: 'Write the whole number.' }),
  },
  {
    message: /^Element '(.+?)': \[facet 'fractionDigits'\] The value '(.*?)' has more/s,
    say: ([element, value]) => ({ words: `<${element}> is ${value}: more than two decimals`, advice: 'Round it to two decimals.' }),
  },
  {
    message: /^Element '(.+?)': \[facet '\w+'\] The value '(.*?)' is (.+?)\.?\s*$/s,
    say: ([element, value, why]) => ({
      words: `<${element}> is "${value}", which is ${why}`,
      advice: 'Write one of the values that the file has a meaning for.',
    }),
  },
  {
    message: /^Element '(.+?)': '(.*)' is not a valid value of the (?:local )?atomic type/s,
    say: ([element = '', value = '']) => ({ words: `<${element}> is "${value}", which can't be read`, advice: formOf(element) }),
  },
  {
    message: /^Element '(.+?)', attribute '(.+?)': The attribute/,
    say: ([element, attribute]) => ({ words: `<${element}> has an attribute ${attribute}`, advice: 'Remove it: the file has no attributes.' }),
  },
  {
    message: /^Element '(.+?)': Character content/,
    say: ([element]) => ({ words: `<${element}> has text beside its elements`, advice: 'Remove the text.' }),
  },
];

/** A message of libxml2's parser or schema validator in our words, with advice. */
export function schemaWords(message: string): Said {
  for (const { message: pattern, say } of patterns) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const { words, advice } = say(found.slice(1));
    return { words: words.slice(0, LONGEST).trimEnd(), advice };
  }
  return { words: message.slice(0, LONGEST).trim(), advice: 'Compare the place with docs/audit-file.md.' };
}

/** libxml2 lists optional elements along with mandatory ones. */
function withoutOptional(names: string): string {
  const optional = new Set(['pos_n', 'trans_n', 'proc_id', 'r_ord', 'rorder', 'r_total']);
  return names
    .split(', ')
    .filter((name) => !optional.has(name))
    .join(', ');
}

function formOf(element: string): string {
  if (element.endsWith('date') || element.endsWith('_d')) return 'Write the day as 2026-10-31.';
  if (['doc_n', 'r_ord', 'paym', 'r_paym', 'art_vat_rate', 'god', 'e_shop_type'].includes(element)) return 'Write a whole number without decimals.';
  return 'Write a number with a point and two decimals, as in 1234.50.';
}
