/** Checks one response body against the schema stated for it, in constant memory where the schema allows it. */

import { mediaTypeOf } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import { nodeAt, pointerTo } from '../profile/body-schema/pointer.ts';
import type { BodySchema, SchemaBreach } from '../profile/body-schema/types.ts';
import { PatternLimitError } from '../profile/pattern/index.ts';
import { decodeBody } from './decode.ts';
import { JsonLines, NEWLINE, RECORD_SEPARATOR } from './json-lines.ts';
import { JsonSplitter } from './json-splitter.ts';
import { type Media, mediaOf } from './media.ts';
import { errorLine, ReadingError } from './problem.ts';
import { sketch } from './sketch.ts';

/** Where a body does not fit its schema, told without more of its values than tells their kind. */
export interface BodyBreach {
  /** A JSON Pointer into the body; for NDJSON its first step is the number of the line, from 0. */
  readonly at: string;
  readonly keyword: string;
  readonly expected: string;
  readonly actual: string;
}

export interface BodyCheck {
  /** Values held against the schema: bodies, rows or lines. */
  readonly looked: number;
  /** The first ten. */
  readonly breaches: readonly BodyBreach[];
  /** Why the rest could not be held against it, where that is so. */
  readonly unchecked?: string;
}

export interface CheckLimits {
  /** The most that is held at once where a body, or what stands beside its rows, must be read whole; default 64 MiB. */
  readonly maxWholeBytes?: number;
  /** The longest row or line; default 4 MiB. */
  readonly maxRowBytes?: number;
  /** The longest decoded body; default 8 GiB. */
  readonly maxBytes?: number;
}

const MIB = 1024 * 1024;
const MAX_BREACHES = 10;

/**
 * Holds a JSON body, or each line of an NDJSON body, against a schema. A body that is no JSON is a breach; one that
 * cannot be decoded or is too long to be held is left unchecked. Never throws for what the body holds.
 *
 * @param declared the media type the profile states for successful answers
 * @example await checkBody(schema, undefined, head, body.chunks()) // { looked: 1, breaches: [] }
 */
export async function checkBody(
  schema: BodySchema,
  declared: Media | undefined,
  head: ResponseHead,
  chunks: AsyncIterable<Uint8Array>,
  limits: CheckLimits = {},
): Promise<BodyCheck> {
  const { maxWholeBytes = 64 * MIB, maxBytes = 8192 * MIB } = limits;
  const breaches: BodyBreach[] = [];
  const pending: Promise<void>[] = [];
  let looked = 0;

  const note = (value: unknown, above: string, found: readonly SchemaBreach[]): void => {
    for (const breach of found.slice(0, MAX_BREACHES - breaches.length)) breaches.push(tell(value, above, breach));
  };
  /** `above`: where the value stands in the body. */
  const hold = (value: unknown, above: string): void => {
    looked++;
    if (breaches.length >= MAX_BREACHES) return;
    const found = schema.check(value);
    if (found instanceof Promise) pending.push(found.then((late) => note(value, above, late)));
    else note(value, above, found);
  };

  const reader =
    mediaOf(declared, head) === 'ndjson' ? linesOf(head, hold, limits) : documentOf(schema, hold, note, limits);
  const done = (unchecked?: string): BodyCheck => ({
    looked: looked + reader.rows(),
    breaches,
    ...(unchecked !== undefined && { unchecked }),
  });
  try {
    for await (const chunk of decodeBody(head, chunks, maxBytes)) {
      reader.push(chunk);
      await settle();
    }
    reader.end();
    await settle();
    const { path = [], maxItems = Number.POSITIVE_INFINITY } = schema.rows ?? {};
    if (reader.rows() > maxItems && breaches.length < MAX_BREACHES)
      breaches.push({
        at: pointerTo(path),
        keyword: 'maxItems',
        expected: `must NOT have more than ${maxItems} items`,
        actual: `${reader.rows()} items`,
      });
    return done();
  } catch (error) {
    await Promise.allSettled(pending.splice(0));
    if (error instanceof PatternLimitError) return done(`${schema.name}: ${error.message}`);
    if (!(error instanceof ReadingError)) return done(`${schema.name} broke: ${errorLine(error)}`);
    if (error.kind === 'tooLarge')
      return done(
        `the body is longer than ${maxWholeBytes} bytes, or nested too deep, to be held against ${schema.name}: ${error.message}`,
      );
    if (error.kind !== 'syntax' && error.kind !== 'truncated') return done(error.message);
    if (breaches.length < MAX_BREACHES)
      breaches.push({ at: '', keyword: 'json', expected: 'must be JSON', actual: error.message });
    looked++;
    return done();
  }

  async function settle(): Promise<void> {
    if (pending.length > 0) await Promise.all(pending.splice(0));
  }
}

interface Reader {
  push(chunk: Uint8Array): void;
  end(): void;
  /** Rows checked by themselves. */
  rows(): number;
}

type Hold = (value: unknown, above: string) => void;

function linesOf(head: ResponseHead, hold: Hold, { maxRowBytes = 4 * MIB }: CheckLimits): Reader {
  let line = 0;
  const lines = new JsonLines({
    separator: mediaTypeOf(head.headers).type === 'application/json-seq' ? RECORD_SEPARATOR : NEWLINE,
    maxLineBytes: maxRowBytes,
    long: 'numbers',
    onValue: (value) => hold(value, `/${line++}`),
  });
  return { push: (chunk) => lines.push(chunk), end: () => lines.end(), rows: () => 0 };
}

function documentOf(
  { rows: list }: BodySchema,
  hold: Hold,
  note: (value: unknown, above: string, found: readonly SchemaBreach[]) => void,
  { maxWholeBytes = 64 * MIB, maxRowBytes = 4 * MIB }: CheckLimits,
): Reader {
  const above = pointerTo(list?.path ?? []);
  let index = 0;
  let broken = 0;
  const splitter = new JsonSplitter({
    path: list?.path,
    // The rest is judged with as many of them as it must have.
    keepRows: list?.minItems ?? 0,
    maxRowBytes,
    maxSkeletonBytes: maxWholeBytes,
    long: 'numbers',
    onRows(nodes) {
      for (const node of nodes) {
        // Those that stay in the rest are looked at there.
        if (list && index >= list.minItems && broken < MAX_BREACHES) {
          const found = list.check(node);
          broken += found.length;
          note(node, `${above}/${index}`, found);
        }
        index++;
      }
    },
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      hold(splitter.end(), '');
    },
    rows: () => index,
  };
}

function tell(value: unknown, above: string, { path, keyword, expected }: SchemaBreach): BodyBreach {
  return {
    at: `${above}${pointerTo(path)}`,
    keyword,
    expected: expected.slice(0, 200),
    actual: sketch(nodeAt(value, path)),
  };
}
