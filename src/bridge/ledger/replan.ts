/** The column of `askedRevision`, under the name that the first version of the table gave it. */
export const ASKED = 'held_revision';

/** Takes an order from the worker that has it: what that one writes afterwards comes as a late reply. */
export const TAKEN = 'fence = fence + 1, lease_until = null, updated_at = now()';

/** Has an order decided anew, from its current record. */
export const REPLANNED = `state = 'queued', recorded_revision = least(recorded_revision, revision - 1), ${ASKED} = least(${ASKED}, revision - 1),
  due_at = now(), dirty_since = coalesce(dirty_since, now())`;

/** Clears the question to a person. */
export const CLEARED = 'review_code = null, review_detail = null';
