import { FindingList, ownText } from './finding-list.ts';
import { Frame } from './frame.ts';
import { type Fields, type SeenHeader, type SeenOrder, type SeenReturn, seenHeader, seenOrder, seenReturn } from './seen-audit.ts';
import { FileDecoder } from './windows-1251.ts';
import { type Markup, XmlScanner } from './xml-scanner.ts';

/** An order or a return as read from the file; `text` is its XML, in lower case and without prefixes. */
export type AuditItem = { kind: 'order' | 'return'; text: string; line: number; fields: Fields; articles: readonly Fields[]; articleLines: readonly number[] };

type OpenItem = {
  kind: AuditItem['kind'];
  from: number;
  line: number;
  tooLarge: boolean;
  fields: Map<string, string>;
  articles: Map<string, string>[];
  articleLines: number[];
};

const ITEMS: Readonly<Record<string, { list: string; kind: AuditItem['kind'] }>> = {
  orderenum: { list: 'order', kind: 'order' },
  rorderenum: { list: 'rorder', kind: 'return' },
};

/** The largest order, in characters. */
const LARGEST_ITEM = 8_000_000;

/** No audit file is nested deeper, so deeper elements are not tracked. */
const DEEPEST = 100;
const MOST_NAMES = 200;
const LONGEST_NAME = 50;

/** The longest text without markup that is kept. */
const LARGEST_TEXT = 1_000_000;

/**
 * Reads an audit file piece by piece: calls back with each order and return when it ends, keeps the header and the frame. Recovers from broken
 * markup: an item ends where the next one begins, or its list ends. Names in upper case or with prefixes are read nevertheless, and reported.
 */
export class AuditReader {
  readonly #findings: FindingList;
  readonly #item: (item: AuditItem) => void;
  readonly #scanner: XmlScanner;
  readonly frame = new Frame();
  /** The texts of the elements outside the lists. */
  readonly header = new Map<string, string>();
  readonly headerLines = new Map<string, number>();
  /** The outermost element in lower case and without prefix; null if there is none. */
  root: string | null = null;
  #path: string[] = [];
  #rename = false;
  #open: OpenItem | null = null;
  #frameFrom = 0;
  #frameLine = 1;
  #value = '';
  /** The last tag opened an element, so the text that follows is its content. */
  #leaf = false;

  constructor(findings: FindingList, item: (item: AuditItem) => void) {
    this.#findings = findings;
    this.#item = item;
    this.#scanner = new XmlScanner((markup, textFrom) => this.#markup(markup, textFrom));
  }

  push(text: string): void {
    this.#scanner.push(text);
    if (this.#scanner.window.length - this.#scanner.textFrom > LARGEST_TEXT) this.#scanner.skipText();
    if (this.#open === null) this.#trimFrame();
    else this.#trimItem(this.#open);
  }

  end(): void {
    this.#scanner.push('', true);
    if (this.#open !== null) this.#endItem(this.#open, this.#scanner.window.length);
    this.#flushFrame(this.#scanner.window.length);
    if (this.frame.tooLarge) this.#findings.add('file.too-large', { words: 'there is too much beside the orders' });
  }

  #trimFrame(): void {
    const { textFrom } = this.#scanner;
    this.#flushFrame(textFrom);
    this.#frameFrom = 0;
    this.#scanner.release(textFrom);
  }

  #trimItem(open: OpenItem): void {
    if (!open.tooLarge && this.#scanner.window.length - open.from > LARGEST_ITEM) {
      open.tooLarge = true;
      this.#findings.add('file.too-large', { words: 'the item that begins here is too large', line: open.line });
    }
    this.#scanner.release(open.tooLarge ? this.#scanner.textFrom : open.from);
    open.from = 0;
  }

  #markup(markup: Markup, textFrom: number): void {
    const { kind, from, to } = markup;
    if (this.#leaf) this.#value += plainText(this.#scanner.window.slice(textFrom, from));
    if (kind === 'open' || kind === 'empty') this.#begin(markup);
    else if (kind === 'close') this.#close(markup);
    else if (kind === 'text') this.#value += this.#scanner.window.slice(from + '<![CDATA['.length, to - ']]>'.length);
    else if (kind !== 'other') this.#leaveOut(markup);
  }

  /** Drops the declaration, because libxml2 gets decoded text; and a document type, which may contain entity bombs. */
  #leaveOut({ kind, from, to, line }: Markup): void {
    if (kind === 'type') this.#findings.add('file.document-type', { words: 'a document type is declared', line });
    if (this.#open === null) this.#flushFrame(from, to);
  }

  #begin(markup: Markup): void {
    const { kind, name, from, line } = markup;
    const local = localName(name);
    if (this.root === null) this.#beginRoot(markup);
    const item = ITEMS[local];
    if (item !== undefined && this.#open !== null && item.kind === this.#open.kind) this.#endItem(this.#open, from);
    if (item !== undefined && this.#open === null && this.#path.length === 2 && this.root === 'audit' && this.#path[1] === item.list)
      this.#beginItem(item.kind, from, line);
    else if (local === 'artenum' && this.#path.length === 4) this.#beginArticle(line);
    if (this.#path.length < DEEPEST) this.#path.push(local);
    this.#leaf = true;
    this.#value = '';
    if (kind === 'empty') this.#close(markup);
  }

  #beginRoot({ name, from, to, line }: Markup): void {
    const tag = this.#scanner.window.slice(from, to);
    this.root = localName(name);
    this.#rename = name !== 'audit';
    if (this.root !== 'audit') {
      const words = this.root === 'html' ? 'it is a web page' : `its outermost element is <${name.slice(0, 50)}>`;
      this.#findings.add('file.not-audit', { words, line });
      return;
    }
    const bare = tag.replace(/\sxmlns\s*=\s*("[^"]*"|'[^']*')/g, '');
    if (name !== name.toLowerCase()) this.#findings.add('file.upper-case', { words: `the outermost element is <${name}>`, line });
    if (bare !== tag || name.includes(':')) this.#findings.add('file.namespace', { words: `the outermost element is ${tag.slice(0, 100)}`, line });
    this.#flushFrame(from, to);
    this.frame.add(this.#spelled(bare), line);
  }

  #beginItem(kind: AuditItem['kind'], from: number, line: number): void {
    this.#flushFrame(from);
    this.frame.standIn(kind, line);
    this.#open = { kind, from, line, tooLarge: false, fields: new Map(), articles: [], articleLines: [] };
  }

  #beginArticle(line: number): void {
    if (this.#open?.kind !== 'order' || this.#open.tooLarge) return;
    this.#open.articles.push(new Map());
    this.#open.articleLines.push(line);
  }

  #close({ name, from, to }: Markup): void {
    const local = localName(name);
    const depth = this.#path.lastIndexOf(local);
    if (this.#leaf && depth >= 0 && depth === this.#path.length - 1) this.#assign(local, from);
    this.#leaf = false;
    // libxml2 reports a tag that closes nothing.
    if (depth < 0) return;
    if (this.#open !== null && depth <= 2) this.#endItem(this.#open, depth === 2 ? to : from);
    this.#path.length = Math.min(depth, this.#path.length);
  }

  #assign(local: string, at: number): void {
    const depth = this.#path.length;
    if (this.#open === null) {
      if (depth !== 2 || this.header.has(local)) return;
      this.header.set(local, ownText(this.#value));
      this.headerLines.set(local, this.#scanner.lineAt(at));
    } else if (!this.#open.tooLarge) {
      const fields = depth === 4 ? this.#open.fields : this.#open.articles.at(-1);
      if (fields !== undefined && !fields.has(local)) fields.set(local, this.#value);
    }
  }

  #endItem(open: OpenItem, to: number): void {
    this.#open = null;
    this.#path.length = Math.min(2, this.#path.length);
    this.#frameFrom = to;
    this.#frameLine = this.#scanner.lineAt(to);
    if (!open.tooLarge) this.#item({ ...open, text: this.#spelled(this.#scanner.window.slice(open.from, to)) });
  }

  /** Adds the text before `upTo` to the frame, which continues at `from`. */
  #flushFrame(upTo: number, from = upTo): void {
    if (upTo > this.#frameFrom && (this.root ?? 'audit') === 'audit')
      this.frame.add(this.#spelled(this.#scanner.window.slice(this.#frameFrom, upTo)), this.#frameLine);
    this.#frameFrom = from;
    this.#frameLine = this.#scanner.lineAt(from);
  }

  #spelled(xml: string): string {
    return this.#rename ? xml.replace(/<(\/?)([^\s/>!?]+)/g, (_, slash: string, name: string) => `<${slash}${localName(name)}`) : xml;
  }
}

const localNames = new Map<string, string>();

/** In lower case and without prefix. There are few names, so they are cached. */
function localName(name: string): string {
  const known = localNames.get(name);
  if (known !== undefined) return known;
  const local = name.slice(name.indexOf(':') + 1).toLowerCase();
  if (localNames.size < MOST_NAMES && name.length < LONGEST_NAME) localNames.set(ownText(name), ownText(local));
  return local;
}

const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

/** Character data with its references resolved; unknown ones stay. */
function plainText(xml: string): string {
  return xml.includes('&') ? xml.replace(/&(?:#\d{1,7}|#x[\da-fA-F]{1,6}|\w{2,4});/g, resolve) : xml;
}

function resolve(reference: string): string {
  if (reference[1] !== '#') return NAMED[reference] ?? reference;
  const code = reference[2] === 'x' ? Number.parseInt(reference.slice(3), 16) : Number.parseInt(reference.slice(2), 10);
  return code > 0x10ffff ? reference : String.fromCodePoint(code);
}

/** Called for each row as it is read. */
type AuditRows = { order(order: SeenOrder): void; return(returned: SeenReturn): void };

/** Reads a file of any origin row by row, without checks; null if it is no audit file. */
export async function readAuditFile(file: Uint8Array | AsyncIterable<Uint8Array>, rows: AuditRows): Promise<SeenHeader | null> {
  const findings = new FindingList();
  const decoder = new FileDecoder(findings);
  const reader = new AuditReader(findings, ({ kind, fields, articles }) =>
    kind === 'order' ? rows.order(seenOrder(fields, articles)) : rows.return(seenReturn(fields)),
  );
  if (file instanceof Uint8Array) reader.push(decoder.push(file));
  else for await (const bytes of file) reader.push(decoder.push(bytes));
  reader.push(decoder.end());
  reader.end();
  return reader.root === 'audit' ? seenHeader(reader.header) : null;
}
