/**
 * Streaming parser of XML into the tree of selectors: child elements are always lists, attributes are `@name`,
 * text is `#text`; namespace prefixes are left out. `<a x="1"><b>2</b></a>` is
 * `{ a: [{ '@x': '1', b: [{ '#text': '2' }] }] }`.
 *
 * Entities that a document declares are not expanded, against entity expansion bombs.
 */
import { createRequire } from 'node:module';
import { EVERY, type PathStep } from '../profile/selector.ts';
import { MAX_DEPTH } from './json-text.ts';
import { errorLine, ReadingError } from './problem.ts';

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
  readonly keepRows: number;
  /** The longest row, in characters of names and values. */
  readonly maxRowLength: number;
  /** The longest tree without its rows, in characters of names and values. */
  readonly maxTreeLength: number;
  readonly onRow: (row: XmlNode) => void;
}

interface Open {
  readonly node: XmlNode;
  readonly name: string;
  /** The number of children by name, including rows removed from the tree. */
  readonly counts: Map<string, number>;
  /** The number of steps of the row path that lead to it; undefined off the path. */
  readonly level: number | undefined;
  /** The number of characters stored when it was opened. */
  readonly heldBefore: number;
  text: string;
}

export class XmlTree {
  readonly #options: XmlOptions;
  readonly #parser = createParser();
  readonly #document: Open;
  readonly #open: Open[];
  #row: Open | undefined;
  #rows = 0;
  #held = 0;
  /** Characters given to the parser since an element last began or ended. */
  #unseen = 0;
  #attributes: [name: string, value: string][] = [];

  constructor(options: XmlOptions) {
    this.#options = options;
    this.#document = newOpen('', 0, 0);
    this.#open = [this.#document];
    this.#parser.on('error', (error) => {
      throw new ReadingError('syntax', `the body is not XML: ${errorLine(error)}`);
    });
    this.#parser.on('opentagstart', () => {
      this.#attributes = [];
    });
    this.#parser.on('attribute', ({ name, value }) => {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) this.#attributes.push([`@${localName(name)}`, value]);
    });
    this.#parser.on('opentag', ({ name }) => this.#start(localName(name)));
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('closetag', () => this.#close());
  }

  push(text: string): void {
    this.#unseen += text.length;
    this.#parser.write(text);
    // The parser itself has no limit for a text or comment.
    const limit = this.#row ? this.#options.maxRowLength : this.#options.maxTreeLength;
    if (this.#unseen > limit)
      throw new ReadingError('tooLarge', `one text, tag or comment of the XML is longer than ${limit} characters`);
  }

  /** The number of delivered rows. */
  get rows(): number {
    return this.#rows;
  }

  /** The tree, without the rows (all but the first `keepRows`). */
  end(): XmlNode {
    const within = this.#open.at(-1) as Open;
    if (within !== this.#document)
      throw new ReadingError('truncated', `the body ends within the XML element ${within.name}`);
    this.#parser.close();
    return this.#document.node;
  }

  #start(name: string): void {
    this.#unseen = 0;
    const parent = this.#open.at(-1) as Open;
    const index = parent.counts.get(name) ?? 0;
    parent.counts.set(name, index + 1);
    const element = newOpen(name, this.#levelOf(parent, name, index), this.#held);
    if (this.#open.push(element) > MAX_DEPTH)
      throw new ReadingError('tooLarge', `the body is nested deeper than ${MAX_DEPTH} levels`);
    if (element.level !== undefined && element.level === this.#options.rowSteps?.length) this.#row = element;
    this.#hold(name.length);
    for (const [attribute, value] of this.#attributes) {
      this.#hold(attribute.length + value.length);
      define(element.node, attribute, value);
    }
  }

  /** Every element takes two steps: its name, and its index among those of that name. */
  #levelOf({ level }: Open, name: string, index: number): number | undefined {
    const steps = this.#options.rowSteps;
    if (level === undefined || !steps || this.#row) return undefined;
    const [nameStep, indexStep] = steps.slice(level, level + 2);
    return nameStep === name && (indexStep === EVERY || indexStep === index) ? level + 2 : undefined;
  }

  #addText(text: string): void {
    const element = this.#open.at(-1) as Open;
    // Only whitespace surrounds the root element.
    if (element === this.#document) return;
    this.#hold(text.length);
    element.text += text;
  }

  #hold(length: number): void {
    this.#held += length;
    const { maxRowLength, maxTreeLength } = this.#options;
    if (this.#row && this.#held - this.#row.heldBefore > maxRowLength)
      throw new ReadingError('tooLarge', `row ${this.#rows} is longer than ${maxRowLength} characters`);
    if ((this.#row?.heldBefore ?? this.#held) > maxTreeLength)
      throw new ReadingError(
        'tooLarge',
        `more than ${maxTreeLength} characters of XML are outside the rows: select the rows by a path such as $.products[0].product[*], and other values by paths outside the rows`,
      );
  }

  #close(): void {
    this.#unseen = 0;
    const element = this.#open.pop() as Open;
    const parent = this.#open.at(-1) as Open;
    // Whitespace between child elements is layout.
    if (element.counts.size === 0 || element.text.trim() !== '') define(element.node, '#text', element.text);
    const isRow = element === this.#row;
    if (!isRow || this.#rows < this.#options.keepRows) this.#attach(parent, element);
    else this.#held = element.heldBefore;
    if (!isRow) return;
    this.#row = undefined;
    this.#rows++;
    this.#options.onRow(element.node);
  }

  #attach({ node }: Open, { name, node: child }: Open): void {
    const siblings = Object.hasOwn(node, name) ? (node[name] as XmlNode[]) : undefined;
    if (siblings) siblings.push(child);
    else define(node, name, [child]);
  }
}

const newOpen = (name: string, level: number | undefined, heldBefore: number): Open => ({
  node: {},
  name,
  counts: new Map(),
  level,
  heldBefore,
  text: '',
});

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Assignment to the name `__proto__` would set the prototype. */
function define(node: XmlNode, name: string, value: XmlNode[] | string): void {
  if (name === '__proto__')
    Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true });
  else node[name] = value;
}
