/** The file of one lane while it is recorded: entries in a stable order, former ones kept where nothing new was said. */
import { dirname } from 'node:path';
import { indentJson, READABLE_INDENT } from '../format/pretty-json.ts';
import type { Har, HarEntry } from '../format/schema.ts';
import { makeFolderWithin, replaceFile } from './atomic-write.ts';

interface Slot {
  readonly key: string;
  readonly order: number;
  /** The entry as it stands in the file, indented: a fraction of the memory it takes as an object. */
  readonly text: string;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, sorted(each)]));
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const HEADER_LINE = new RegExp(`\\[\\n\\s*(${STRING}),\\n\\s*(${STRING})\\n\\s*\\]`, 'g');
const NAME_VALUE = new RegExp(`\\{\\n\\s*("name": ${STRING}),\\n\\s*("value": ${STRING})\\n\\s*\\}`, 'g');

/**
 * JSON with sorted members, a header a line. Strings hold no line breaks, so neither that nor indenting touches more than
 * white space.
 */
const written = (value: unknown, indent: string): string =>
  JSON.stringify(sorted(value), null, 2)
    .replace(HEADER_LINE, '[$1, $2]')
    .replace(NAME_VALUE, '{ $1, $2 }')
    .replaceAll('\n', `\n${indent}`);

/** Shorter bodies are read where they stand, on one line. */
const READ_AT_ONCE = 120;
const ENTRY_INDENT = ' '.repeat(6);
const HERE = '(laid out here)';

/** The entry as it is written: a JSON body stands in it twice, as it came on one line, and laid out for people. */
function textOf(entry: HarEntry): string {
  const { readable: _, ...extra } = entry._mdwi;
  const { text = '' } = entry.response.content;
  const laidOut = text.length > READ_AT_ONCE ? indentJson(text) : undefined;
  if (laidOut === undefined) return written({ ...entry, _mdwi: extra }, ENTRY_INDENT);
  const whole = written({ ...entry, _mdwi: { ...extra, readable: HERE } }, ENTRY_INDENT);
  return whole.replace(
    `"readable": "${HERE}"`,
    () => `"readable": ${laidOut.replaceAll('\n', `\n${READABLE_INDENT}`)}`,
  );
}

const slotOf = (entry: HarEntry): Slot => ({
  key: entry._mdwi.key,
  order: entry._order,
  // Put together anew: what replacing gives is a tree of snippets, in several times the memory, that holds its sources.
  text: Buffer.from(textOf(entry), 'utf8').toString('utf8'),
});

const entryIn = ({ text }: Slot): HarEntry => JSON.parse(text) as HarEntry;

/** An answer that says the same as the former recording’s, whose entry is kept byte for byte. */
const SAME = Symbol('says the same');

/** The answers to one request: what stood in the file, and what was recorded anew, by their place in the sequence. */
interface Sequence {
  readonly former: readonly (Slot | undefined)[];
  readonly anew: (Slot | typeof SAME)[];
}

/** What stands in the file: from the first answer that says something else on, the former rest belongs to another history. */
function merge({ former, anew }: Sequence): readonly (Slot | undefined)[] {
  const differs = anew.some((each, at) => each !== SAME && former[at] !== undefined);
  return [
    ...anew.map((each, at) => (each === SAME ? former[at] : each)),
    ...(differs ? [] : former.slice(anew.length)),
  ];
}

/** How many entries are put together at once when a file is written. */
const BATCH = 64;

/** Entries of one lane by Polly’s id and place. */
export class LaneFile {
  readonly path: string;
  readonly #log: Record<string, unknown>;
  readonly #sequences = new Map<string, Sequence>();
  #changed = false;

  constructor(path: string, former: Har | { readonly log: Record<string, unknown> }) {
    this.path = path;
    const { entries, ...log } = former.log;
    this.#log = log;
    for (const entry of (entries ?? []) as HarEntry[])
      (this.#sequence(entry._id).former as Slot[])[entry._order] = slotOf(entry);
  }

  #sequence(id: string): Sequence {
    const known = this.#sequences.get(id) ?? { former: [], anew: [] };
    this.#sequences.set(id, known);
    return known;
  }

  /** What the former recording holds where the next answer to a request comes to stand. */
  formerOf(id: string): HarEntry | undefined {
    const sequence = this.#sequences.get(id);
    const slot = sequence?.former[sequence.anew.length];
    return slot && entryIn(slot);
  }

  /** Keeps the next answer to its request as the former recording has it. */
  keepFormer(id: string): void {
    this.#sequence(id).anew.push(SAME);
  }

  /** Adds the next answer to its request. */
  add(given: HarEntry): void {
    const { anew } = this.#sequence(given._id);
    anew.push(slotOf({ ...given, _order: anew.length }));
    this.#changed = true;
  }

  /** Keeps former entries in place of new ones that say the same after all. */
  async settle(same: (former: HarEntry, now: HarEntry) => Promise<boolean>): Promise<void> {
    for (const { former, anew } of this.#sequences.values()) {
      for (const [at, now] of anew.entries()) {
        const before = former[at];
        if (now === SAME || !before || !(await same(entryIn(before), entryIn(now)))) continue;
        anew[at] = SAME;
        this.#changed = true;
      }
    }
  }

  /** All entries of the former recording. */
  *formerEntries(): Generator<HarEntry> {
    for (const { former } of this.#sequences.values()) for (const slot of former) if (slot) yield entryIn(slot);
  }

  /** Leaves out all answers to these requests. */
  drop(keys: ReadonlySet<string>): void {
    for (const [id, { former }] of this.#sequences) {
      if (!former.some((slot) => slot && keys.has(slot.key))) continue;
      this.#sequences.delete(id);
      this.#changed = true;
    }
  }

  get isEmpty(): boolean {
    return this.#sequences.size === 0;
  }

  /** The names of all side files that entries refer to. */
  *sideFiles(): Generator<string> {
    for (const { text } of this.#listed())
      for (const [name] of text.matchAll(/(?<="bodies\/)sha256-[0-9a-f]{64}/g)) yield name;
  }

  #listed(): readonly Slot[] {
    return [...this.#sequences.values()]
      .flatMap((each) => merge(each).filter((slot) => slot !== undefined))
      .sort((a, b) => (a.key === b.key ? a.order - b.order : a.key < b.key ? -1 : 1));
  }

  /** Writes the file if anything new was said. */
  async write(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    const listed = this.#listed();
    const [before = '', behind = ''] = written({ log: { ...this.#log, entries: ['ENTRIES'] } }, '').split('"ENTRIES"');
    function* parts(): Generator<string> {
      yield before;
      for (let at = 0; at < listed.length; at += BATCH) {
        const batch = listed.slice(at, at + BATCH).map(({ text }) => text);
        yield `${at === 0 ? '' : ',\n      '}${batch.join(',\n      ')}`;
      }
      yield `${behind}\n`;
    }
    try {
      await makeFolderWithin(dirname(this.path));
      await replaceFile(this.path, parts());
    } catch (error) {
      this.#changed = true;
      throw error;
    }
  }
}
