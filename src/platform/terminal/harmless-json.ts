// Control characters that JSON leaves as they are, line breaks of Unicode, and what reorders the text after it.
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The same JSON, in which all that a terminal or a viewer of logs would obey is written as an escape. */
export function harmlessJson(json: string): string {
  return json.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
