/** SQL that gives a timestamptz as ISO 8601 text in UTC with milliseconds, independent of the driver's parsers and the session's time zone. */
export function isoText(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
