/**
 * Streaming parser of XML into the tree of selectors: child elements are always lists, attributes are `@name`,
 * text is `#text`; namespace prefixes are left out. `<a x="1"><b>2</b></a>` is
 * `{ a: [{ '@x': '1', b: [{ '#text': '2' }] }] }`.
 *
 * Entities that a document declares are not expanded, against entity expansion bombs.
 */
import { createRequire } from 'node:module';
import { EVERY, type PathStep } from '../profile/path-steps.ts';
import { MAX_DEPTH } from './json-text.ts';
import { BodyError, errorLine } from './problem.ts';

const load = createRequire(import.meta.url);

/** Creates a parser. The library is loaded on first use: most services respond in JSON. */
function createParser() {
  const { SaxesParser } = load('saxes') as typeof import('saxes');
  return new SaxesParser({ fragment: false });
}

/** An element, or the document: its one member is the root element. */
export type XmlNode = { [name: string]: XmlNode[] | string };

export interface XmlOptions {
  /** The path to the rows, ending in `[*]`; undefined: nothing is split off. */
  readonly rowSteps: readonly PathStep[] | undefined;
  /** The number of first rows that are also in the tree. */
  readonly retainedRows: number;
  /** The longest row, in characters of names and values. */
  readonly maxRowLength: number;
  /** The longest tree without its rows, in characters of names and values. */
  readonly maxTreeLength: number;
  readonly onRow: (row: XmlNode) => void;
}

interface OpenElement {
  readonly node: XmlNode;
  readonly name: string;
  /** The number of children by name, including rows removed from the tree. */
  readonly counts: Map<string, number>;
  /** The number of steps of the row path that lead to it; undefined off the path. */
  readonly level: number | undefined;
  /** The number of characters stored when it was opened. */
  readonly sizeBefore: number;
  text: string;
}

export class XmlTree {
  readonly #options: XmlOptions;
  readonly #parser = createParser();
  readonly #document: OpenElement;
  readonly #openElements: OpenElement[];
  #row: OpenElement | undefined;
  #rows = 0;
  #size = 0;
  /** Characters given to the parser since an element last began or ended. */
  #charactersSinceTag = 0;
  #attributes: [name: string, value: string][] = [];

  constructor(options: XmlOptions) {
    this.#options = options;
    this.#document = openElement('', 0, 0);
    this.#openElements = [this.#document];
    this.#parser.on('error', (error) => {
      throw new BodyError('syntax', `the body is not XML: ${errorLine(error)}`);
    });
    this.#parser.on('opentagstart', () => {
      this.#attributes = [];
    });
    this.#parser.on('attribute', ({ name, value }) => {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) this.#attributes.push([`@${localName(name)}`, value]);
    });
    this.#parser.on('opentag', ({ name }) => this.#startElement(localName(name)));
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('closetag', () => this.#endElement());
  }

  push(text: string): void {
    this.#charactersSinceTag += text.length;
    this.#parser.write(text);
    // The parser itself has no limit for a text or comment.
    const limit = this.#row ? this.#options.maxRowLength : this.#options.maxTreeLength;
    if (this.#charactersSinceTag > limit)
      throw new BodyError('tooLarge', `one text, tag or comment of the XML is longer than ${limit} characters`);
  }

  /** The number of delivered rows. */
  get rows(): number {
    return this.#rows;
  }

  /** The tree, without the rows (all but the first `retainedRows`). */
  end(): XmlNode {
    const current = this.#openElements.at(-1) as OpenElement;
    if (current !== this.#document)
      throw new BodyError('truncated', `the body ends within the XML element ${current.name}`);
    this.#parser.close();
    return this.#document.node;
  }

  #startElement(name: string): void {
    this.#charactersSinceTag = 0;
    const parent = this.#openElements.at(-1) as OpenElement;
    const index = parent.counts.get(name) ?? 0;
    parent.counts.set(name, index + 1);
    const element = openElement(name, this.#levelOf(parent, name, index), this.#size);
    if (this.#openElements.push(element) > MAX_DEPTH)
      throw new BodyError('tooLarge', `the body is nested deeper than ${MAX_DEPTH} levels`);
    if (element.level !== undefined && element.level === this.#options.rowSteps?.length) this.#row = element;
    this.#addSize(name.length);
    for (const [attribute, value] of this.#attributes) {
      this.#addSize(attribute.length + value.length);
      setMember(element.node, attribute, value);
    }
  }

  /** Every element takes two steps: its name, and its index among those of that name. */
  #levelOf({ level }: OpenElement, name: string, index: number): number | undefined {
    const steps = this.#options.rowSteps;
    if (level === undefined || !steps || this.#row) return undefined;
    const [nameStep, indexStep] = steps.slice(level, level + 2);
    return nameStep === name && (indexStep === EVERY || indexStep === index) ? level + 2 : undefined;
  }

  #addText(text: string): void {
    const element = this.#openElements.at(-1) as OpenElement;
    // Only whitespace surrounds the root element.
    if (element === this.#document) return;
    this.#addSize(text.length);
    element.text += text;
  }

  #addSize(length: number): void {
    this.#size += length;
    const { maxRowLength, maxTreeLength } = this.#options;
    if (this.#row && this.#size - this.#row.sizeBefore > maxRowLength)
      throw new BodyError('tooLarge', `row ${this.#rows} is longer than ${maxRowLength} characters`);
    if ((this.#row?.sizeBefore ?? this.#size) > maxTreeLength)
      throw new BodyError(
        'tooLarge',
        `more than ${maxTreeLength} characters of XML are outside the rows: select the rows by a path such as $.products[0].product[*], and other values by paths outside the rows`,
      );
  }

  #endElement(): void {
    this.#charactersSinceTag = 0;
    const element = this.#openElements.pop() as OpenElement;
    const parent = this.#openElements.at(-1) as OpenElement;
    // Whitespace between child elements is layout.
    if (element.counts.size === 0 || element.text.trim() !== '') setMember(element.node, '#text', element.text);
    const isRow = element === this.#row;
    if (!isRow || this.#rows < this.#options.retainedRows) this.#appendChild(parent, element);
    else this.#size = element.sizeBefore;
    if (!isRow) return;
    this.#row = undefined;
    this.#rows++;
    this.#options.onRow(element.node);
  }

  #appendChild({ node }: OpenElement, { name, node: child }: OpenElement): void {
    const siblings = Object.hasOwn(node, name) ? (node[name] as XmlNode[]) : undefined;
    if (siblings) siblings.push(child);
    else setMember(node, name, [child]);
  }
}

const openElement = (name: string, level: number | undefined, sizeBefore: number): OpenElement => ({
  node: {},
  name,
  counts: new Map(),
  level,
  sizeBefore,
  text: '',
});

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Assignment to the name `__proto__` would set the prototype. */
function setMember(node: XmlNode, name: string, value: XmlNode[] | string): void {
  if (name === '__proto__')
    Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true });
  else node[name] = value;
}
