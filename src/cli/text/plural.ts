/** "1 order", "3 orders"; `many`: where it is not the first word with an s. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
