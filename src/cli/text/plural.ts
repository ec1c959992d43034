import { counted } from '../../contract/plural.ts';

/** "1 order", "3 orders"; `many`: where it is not the first word with an s. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return counted.en(n, one, many);
}
