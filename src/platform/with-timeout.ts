/** The result of `work`, or an error with words after `ms`. The work itself goes on. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A span as the queue takes it: whole ms, not below 0. */
export function wholeMs(ms: number): number {
  return Math.max(0, Math.ceil(ms));
}
