/** An order that is to be processed at `dueAt`, ms since 1970, as the ledger says. */
export type DueNotice = { id: number; dueAt: number };
/** A hint, which may be lost: anyone who processes orders sees in the ledger what is due. */
export type Notify = (orders: readonly DueNotice[]) => void;

/** In a process that processes no orders. */
export const notifyNobody: Notify = () => undefined;
