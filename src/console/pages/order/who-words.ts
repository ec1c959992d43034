import type { Words } from '../../words/words.ts';

/** Who did it: the program, a person by his name, or as the trail names him. */
export function whoWords({ who, name }: { who: string; name: string | null }, { order: { event } }: Words): string {
  return who === 'orderbridge' ? event.program : (name ?? who.replace(/^cli:/, ''));
}
