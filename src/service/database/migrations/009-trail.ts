import { trailTable } from '../../../platform/trail/trail.ts';

/** Who did what to shops, keys and months. */
export const trail = trailTable({ schema: 'compliance' });
