/** Who does it, for the trail. */
export const BY = 'cli:maria@desk';
