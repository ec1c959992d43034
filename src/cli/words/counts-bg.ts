/** „1 поръчка“, „3 поръчки“. */
export const ordersBg = (n: number | string): string => (String(n) === '1' ? '1 поръчка' : `${n} поръчки`);

/** „1 известие“, „3 известия“. */
export const webhooksBg = (n: number): string => (n === 1 ? '1 известие' : `${n} известия`);

/** A number with the word that fits it. */
export const countBg = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
