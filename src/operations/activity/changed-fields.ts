/** A field that differs, by its path; null: it is not there. */
export type ChangedField = { field: string; was: string | null; is: string | null };

/** What an act changed, nested fields by their path. */
export function changedFields({ before, after }: { before: unknown; after: unknown }): ChangedField[] {
  const [was, is] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => was[field] !== is[field]);
  return names.map((field) => ({ field, was: was[field] ?? null, is: is[field] ?? null }));
}

function flat(value: unknown, path = ''): Record<string, string> {
  if (value === undefined || (value === null && path === '')) return {};
  if (value === null || typeof value !== 'object') return { [path]: value === null ? '-' : String(value) };
  if (Array.isArray(value)) return { [path]: JSON.stringify(value) };
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => flat(part, path === '' ? key : `${path}.${key}`)));
}
