const sofia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', timeStyle: 'medium' });

/** The time of day in Bulgaria ("14:05:33", 24 hours) of an ISO 8601 timestamp; one without an offset is Bulgarian time already. */
export function sofiaTime(timestamp: string): string {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/.test(timestamp);
  return hasOffset ? sofia.format(new Date(timestamp)) : timestamp.slice(11, 19).padEnd(8, ':00');
}
