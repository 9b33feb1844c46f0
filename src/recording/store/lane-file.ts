/** The file of one lane while it is recorded: entries in a stable order, former entries kept where the response is unchanged. */
import { dirname } from 'node:path';
import { replaceFile } from '../../atomic-write.ts';
import { indentJson, READABLE_INDENT } from '../format/pretty-json.ts';
import { withSortedMembers } from '../format/recording-options.ts';
import type { Har, HarEntry } from '../format/schema.ts';
import { makeFolderWithin } from './recording-files.ts';

interface SerialisedEntry {
  readonly requestKey: string;
  readonly order: number;
  /** The entry as text, as in the file: it needs a fraction of the memory of an object. */
  readonly text: string;
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const HEADER_LINE = new RegExp(`\\[\\n\\s*(${STRING}),\\n\\s*(${STRING})\\n\\s*\\]`, 'g');
const NAME_VALUE = new RegExp(`\\{\\n\\s*("name": ${STRING}),\\n\\s*("value": ${STRING})\\n\\s*\\}`, 'g');

/**
 * JSON with sorted members, one header per line. JSON strings hold no line breaks, so only white space changes.
 */
const format = (value: unknown, indent: string): string =>
  JSON.stringify(withSortedMembers(value), null, 2)
    .replace(HEADER_LINE, '[$1, $2]')
    .replace(NAME_VALUE, '{ $1, $2 }')
    .replaceAll('\n', `\n${indent}`);

/** Shorter bodies are readable on one line and get no indented copy. */
const READABLE_LENGTH = 120;
const ENTRY_INDENT = ' '.repeat(6);
const INDENTED_MARKER = '(indented copy)';

/** The entry as text. It contains a JSON body twice: as received, and as an indented copy for people. */
function textOf(entry: HarEntry): string {
  const { readable: _, ...extra } = entry._mdwi;
  const { text = '' } = entry.response.content;
  const indented = text.length > READABLE_LENGTH ? indentJson(text) : undefined;
  if (indented === undefined) return format({ ...entry, _mdwi: extra }, ENTRY_INDENT);
  const formatted = format({ ...entry, _mdwi: { ...extra, readable: INDENTED_MARKER } }, ENTRY_INDENT);
  return formatted.replace(
    `"readable": "${INDENTED_MARKER}"`,
    () => `"readable": ${indented.replaceAll('\n', `\n${READABLE_INDENT}`)}`,
  );
}

const serialise = (entry: HarEntry): SerialisedEntry => ({
  requestKey: entry._mdwi.key,
  order: entry._order,
  // A flat copy: the result of replace() is a rope that needs several times the memory and retains its sources.
  text: Buffer.from(textOf(entry), 'utf8').toString('utf8'),
});

const parseEntry = ({ text }: SerialisedEntry): HarEntry => JSON.parse(text) as HarEntry;

/** The response equals the former one; the former entry is kept unchanged. */
const UNCHANGED = Symbol('same as former');

/** The responses to one request (Polly’s `_id`): the former and the newly recorded ones, by their order. */
interface Sequence {
  readonly former: readonly (SerialisedEntry | undefined)[];
  readonly recorded: (SerialisedEntry | typeof UNCHANGED)[];
}

/** The entries to write. If any response changed, former responses beyond the recorded ones are dropped. */
function merge({ former, recorded }: Sequence): readonly (SerialisedEntry | undefined)[] {
  const differs = recorded.some((each, at) => each !== UNCHANGED && former[at] !== undefined);
  return [
    ...recorded.map((each, at) => (each === UNCHANGED ? former[at] : each)),
    ...(differs ? [] : former.slice(recorded.length)),
  ];
}

/** How many entries are joined per write. */
const ENTRIES_PER_WRITE = 64;

/** The entries of one lane, by Polly’s id and order. */
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
      (this.#sequence(entry._id).former as SerialisedEntry[])[entry._order] = serialise(entry);
  }

  #sequence(id: string): Sequence {
    const known = this.#sequences.get(id) ?? { former: [], recorded: [] };
    this.#sequences.set(id, known);
    return known;
  }

  /** The former entry at the position of the next response to this request. */
  formerOf(id: string): HarEntry | undefined {
    const sequence = this.#sequences.get(id);
    const slot = sequence?.former[sequence.recorded.length];
    return slot && parseEntry(slot);
  }

  /** Keeps the former entry for the next response to this request. */
  keepFormer(id: string): void {
    this.#sequence(id).recorded.push(UNCHANGED);
  }

  /** Adds the next response to its request. */
  add(entry: HarEntry): void {
    const { recorded } = this.#sequence(entry._id);
    recorded.push(serialise({ ...entry, _order: recorded.length }));
    this.#changed = true;
  }

  /** Restores former entries where the new entry is equal after all. */
  async restoreEqual(isEqual: (former: HarEntry, now: HarEntry) => Promise<boolean>): Promise<void> {
    for (const { former, recorded } of this.#sequences.values()) {
      for (const [at, now] of recorded.entries()) {
        const before = former[at];
        if (now === UNCHANGED || !before || !(await isEqual(parseEntry(before), parseEntry(now)))) continue;
        recorded[at] = UNCHANGED;
        this.#changed = true;
      }
    }
  }

  /** All entries of the former recording. */
  *formerEntries(): Generator<HarEntry> {
    for (const { former } of this.#sequences.values()) for (const slot of former) if (slot) yield parseEntry(slot);
  }

  /** Removes all responses to these requests. */
  removeRequests(keys: ReadonlySet<string>): void {
    for (const [id, { former }] of this.#sequences) {
      if (!former.some((slot) => slot && keys.has(slot.requestKey))) continue;
      this.#sequences.delete(id);
      this.#changed = true;
    }
  }

  get isEmpty(): boolean {
    return this.#sequences.size === 0;
  }

  /** The names of all side files that entries refer to. */
  *sideFiles(): Generator<string> {
    for (const { text } of this.#sortedEntries())
      for (const [name] of text.matchAll(/(?<="bodies\/)sha256-[0-9a-f]{64}/g)) yield name;
  }

  #sortedEntries(): readonly SerialisedEntry[] {
    return [...this.#sequences.values()]
      .flatMap((each) => merge(each).filter((slot) => slot !== undefined))
      .sort((a, b) => (a.requestKey === b.requestKey ? a.order - b.order : a.requestKey < b.requestKey ? -1 : 1));
  }

  /** Writes the file if anything changed. */
  async write(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    const slots = this.#sortedEntries();
    const [before = '', after = ''] = format({ log: { ...this.#log, entries: ['ENTRIES'] } }, '').split('"ENTRIES"');
    function* parts(): Generator<string> {
      yield before;
      for (let at = 0; at < slots.length; at += ENTRIES_PER_WRITE) {
        const batch = slots.slice(at, at + ENTRIES_PER_WRITE).map(({ text }) => text);
        yield `${at === 0 ? '' : ',\n      '}${batch.join(',\n      ')}`;
      }
      yield `${after}\n`;
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
