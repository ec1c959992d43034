const sofia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short' });

/** The day in Bulgaria ("2026-11-20") of an ISO 8601 timestamp; one without an offset is Bulgarian time already. */
export function sofiaDay(timestamp: string): string {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/.test(timestamp);
  return hasOffset ? sofia.format(new Date(timestamp)) : timestamp.slice(0, 10);
}
