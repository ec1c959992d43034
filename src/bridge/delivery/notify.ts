/** An order that is to be processed at `dueAt`, ms since 1970, as the ledger says. */
export type DueNotice = { id: number; dueAt: number };
/** A hint, which may be lost: whoever processes orders sees in the ledger what is due. */
export type Notify = (orders: readonly DueNotice[]) => void;

/** In a process that processes no orders. */
export const notifyNobody: Notify = () => undefined;

export type Alarm = {
  /** Has this process look when the first of them is due. Others see it in the ledger, within a moment. */
  notify: Notify;
  /** Who looks; nobody does until this is called, or in a process that processes no orders. */
  set(soon: (dueAt: number) => void): void;
};

export function createAlarm(): Alarm {
  let ring: (dueAt: number) => void = () => undefined;
  return {
    notify: (orders) => {
      if (orders.length > 0) ring(Math.min(...orders.map(({ dueAt }) => dueAt)));
    },
    set: (soon) => {
      ring = soon;
    },
  };
}
