import type { Finding } from '../audit-file.ts';
import { type FindingWords, fileFindingWords } from './file-finding-words.ts';
import { orderFindingWords } from './order-finding-words.ts';

const bulgarian: ReadonlyMap<string, FindingWords> = new Map(Object.entries({ ...fileFindingWords, ...orderFindingWords }));

/** A finding in Bulgarian; in its own words if this version does not know its rule. */
export function findingWords({ rule, words, advice }: Pick<Finding, 'rule' | 'words' | 'advice'>): FindingWords {
  return bulgarian.get(rule) ?? { title: words, advice };
}
