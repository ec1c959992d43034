/** A style sheet from the source code: the only text that goes into a page unescaped. */
export class Css {
  readonly #text: string;

  constructor(parts: TemplateStringsArray) {
    const [text = '', ...more] = parts;
    if (more.length > 0 || text.includes('</')) throw new TypeError('a style sheet takes no interpolation, and can not end its own element');
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** A style sheet. It takes no interpolation, so it has no foreign text. */
export function css(parts: TemplateStringsArray): Css {
  return new Css(parts);
}
