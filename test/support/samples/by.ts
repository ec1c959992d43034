/** Who does it, for the audit log. */
export const BY = 'cli:maria@desk';
