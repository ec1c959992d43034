/** A job that this release can't read: it stays on the queue for one that can, and is retried rarely. */
export class UnreadableJob extends Error {}
