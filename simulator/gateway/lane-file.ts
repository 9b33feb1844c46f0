/** The file of one lane while it is recorded: entries in a stable order, former ones kept where nothing new was said. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fromHarEntry } from '../../src/exchange/har/entry.ts';
import type { Har, HarEntry } from '../../src/exchange/har/schema.ts';
import { sayTheSame } from '../../src/exchange/har/volatile.ts';
import { replaceFile } from './atomic.ts';

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

const slotOf = (entry: HarEntry): Slot => ({
  key: entry._mdwi.key,
  order: entry._order,
  text: written(entry, '      '),
});

/** Entries of one lane by Polly’s id and place. */
export class LaneFile {
  readonly path: string;
  readonly #log: Record<string, unknown>;
  /** All answers to one request, by their place in the sequence. */
  readonly #sequences = new Map<string, (Slot | undefined)[]>();
  /** How many answers to a request were recorded anew. */
  readonly #anew = new Map<string, number>();
  #changed = false;
  #listed: readonly Slot[] | undefined;

  constructor(path: string, former: Har | { readonly log: Record<string, unknown> }) {
    this.path = path;
    const { entries, ...log } = former.log;
    this.#log = log;
    for (const entry of (entries ?? []) as HarEntry[]) this.#sequence(entry._id)[entry._order] = slotOf(entry);
  }

  #sequence(id: string): (Slot | undefined)[] {
    const known = this.#sequences.get(id) ?? [];
    this.#sequences.set(id, known);
    return known;
  }

  /**
   * Adds the next answer to its request. One that says the same as the former recording’s leaves that untouched; one that
   * says something else ends the former sequence there, for the rest of it belongs to another history.
   */
  add(given: HarEntry): void {
    const { _id: id } = given;
    const order = this.#anew.get(id) ?? 0;
    this.#anew.set(id, order + 1);
    const entry = { ...given, _order: order };
    const sequence = this.#sequence(id);
    const former = sequence[order];
    if (former && sayTheSame(fromHarEntry(JSON.parse(former.text) as HarEntry), fromHarEntry(entry))) return;
    if (former) sequence.length = order;
    sequence[order] = slotOf(entry);
    this.#listed = undefined;
    this.#changed = true;
  }

  /** Writes the file if anything new was said. */
  async write(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    this.#listed ??= [...this.#sequences.values()]
      .flatMap((each) => each.filter((slot) => slot !== undefined))
      .sort((a, b) => (a.key === b.key ? a.order - b.order : a.key < b.key ? -1 : 1));
    const marked = written({ log: { ...this.#log, entries: ['ENTRIES'] } }, '');
    const entries = this.#listed.map(({ text }) => text).join(',\n      ');
    try {
      await mkdir(dirname(this.path), { recursive: true });
      await replaceFile(this.path, `${marked.replace('"ENTRIES"', () => entries)}\n`);
    } catch (error) {
      this.#changed = true;
      throw error;
    }
  }
}
