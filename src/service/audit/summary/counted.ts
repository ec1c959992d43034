import { NO_BREAK } from '../../bulgarian/no-break.ts';
import { numberText } from '../../bulgarian/number-text.ts';

/** (2, "поръчка", "поръчки") → "2 поръчки" */
export function counted(count: number, one: string, many: string): string {
  return `${numberText(String(count))}${NO_BREAK}${count === 1 ? one : many}`;
}
