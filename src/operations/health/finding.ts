/** wrong: it does not work, or may lose something. remark: worth knowing. */
export type Finding = { what: string; verdict: 'ok' | 'remark' | 'wrong'; words: string };
