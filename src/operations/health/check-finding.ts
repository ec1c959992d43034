/** wrong: it does not work, or may lose something. remark: worth knowing. */
export type CheckFinding = { what: string; verdict: 'ok' | 'remark' | 'wrong'; words: string };
