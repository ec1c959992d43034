/** Rows under a header, columns aligned; for people. Empty cells are shown as "-". */
export function textTable(header: readonly string[], rows: readonly (readonly (string | null)[])[]): string[] {
  const cells = [header, ...rows.map((row) => row.map((cell) => oneLine(cell ?? '') || '-'))];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** "name  value" pairs, values aligned. */
export function textFields(fields: readonly (readonly [string, string])[]): string[] {
  const widest = Math.max(...fields.map(([name]) => width(name)));
  return fields.map(([name, value]) => `${name}${' '.repeat(widest - width(name))}  ${oneLine(value)}`);
}

// Text from a store may contain control characters, which a terminal would obey.
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

function width(text: string): number {
  return [...text].length;
}
