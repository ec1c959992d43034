/** Options of Node that `npm start`, the command and the image set: without them V8 collects garbage differently than in production. */
export const NODE_OPTIONS = '--max-semi-space-size=16';

/** What they tell the C library's allocator. */
export const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };

/** For every contestant, so that the same garbage collector and allocator are measured. */
export const asStarted = { NODE_OPTIONS, ...MALLOC };
