/** Narrower ones are not written for. */
const LEAST = 40;

/** The columns of the terminal that a stream is; undefined: it is none, so that lines are as long as they are. */
export function terminalWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number | undefined }): number | undefined {
  return isTTY === true && columns !== undefined && columns > 0 ? Math.max(columns, LEAST) : undefined;
}
