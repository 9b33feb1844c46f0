/** Checks one response body against its declared schema, in constant memory if the schema allows it. */

import { mediaTypeOf } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import { demandOf } from '../profile/body-schema/breaches.ts';
import { nodeAt, pointerTo, stepsOf } from '../profile/body-schema/pointer.ts';
import type { BodySchema, SchemaBreach } from '../profile/body-schema/types.ts';
import { PatternLimitError } from '../profile/pattern/index.ts';
import { decodeBody } from './decode.ts';
import { JsonLines, NEWLINE, RECORD_SEPARATOR } from './json-lines.ts';
import { JsonSplitter } from './json-splitter.ts';
import { type Media, mediaOf } from './media.ts';
import { BodyError, errorLine } from './problem.ts';
import { summariseValue } from './summarise-value.ts';

/** A violation of a body schema, without values beyond what shows their kind. */
export interface BodyBreach {
  /** A JSON Pointer into the body; for NDJSON its first step is the number of the line, from 0. */
  readonly at: string;
  readonly keyword: string;
  /** Identifies the demand of the schema that is broken, without indices and values. */
  readonly demand: string;
  readonly expected: string;
  readonly actual: string;
}

export interface BodyCheck {
  /** The number of checked values: bodies, rows or lines. */
  readonly checked: number;
  /** The first ones of each demand. */
  readonly breaches: readonly BodyBreach[];
  /** Why the rest could not be checked, if so. */
  readonly unchecked?: string;
}

export interface CheckLimits {
  /** The maximum size of a body, or of the part outside its rows, that must be read whole; default 64 MiB. */
  readonly maxWholeBytes?: number;
  /** The longest row or line; default 4 MiB. */
  readonly maxRowBytes?: number;
  /** The longest decoded body; default 8 GiB. */
  readonly maxBytes?: number;
}

const MIB = 1024 * 1024;
/** The number of breaches of one demand that are kept. */
const MAX_OF_DEMAND = 5;

/**
 * Checks a JSON body, or each line of an NDJSON body, against a schema. A body that is not JSON is a breach; one that
 * cannot be decoded or exceeds a limit is not checked. Never throws because of the body's content.
 *
 * @param declared the media type that the profile declares for successful responses
 * @example await checkBody(schema, undefined, head, body.chunks()) // { checked: 1, breaches: [] }
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
  const counts = new Map<string, number>();
  const pending: Promise<void>[] = [];
  let checked = 0;

  const addBreaches = (value: unknown, basePointer: string, found: readonly SchemaBreach[]): void => {
    for (const breach of found) {
      const count = counts.get(breach.demand) ?? 0;
      if (count >= MAX_OF_DEMAND) continue;
      counts.set(breach.demand, count + 1);
      breaches.push(describe(value, basePointer, breach));
    }
  };
  /** `basePointer`: the JSON Pointer of the value in the body. */
  const check = (value: unknown, basePointer: string): void => {
    checked++;
    const found = schema.check(value);
    if (found instanceof Promise) pending.push(found.then((late) => addBreaches(value, basePointer, late)));
    else addBreaches(value, basePointer, found);
  };

  const reader =
    mediaOf(declared, head) === 'ndjson'
      ? lineReader(head, check, limits)
      : documentReader(schema, check, addBreaches, limits);
  const done = (unchecked?: string): BodyCheck => ({
    checked: checked + reader.rows(),
    breaches,
    ...(unchecked !== undefined && { unchecked }),
  });
  try {
    for await (const chunk of decodeBody(head, chunks, maxBytes)) {
      reader.push(chunk);
      await awaitPending();
    }
    reader.end();
    await awaitPending();
    const { path = [], maxItems = Number.POSITIVE_INFINITY } = schema.rows ?? {};
    if (reader.rows() > maxItems)
      breaches.push({
        at: pointerTo(path),
        keyword: 'maxItems',
        demand: demandOf(path, ['maxItems']),
        expected: `must NOT have more than ${maxItems} items`,
        actual: `${reader.rows()} items`,
      });
    return done();
  } catch (error) {
    await Promise.allSettled(pending.splice(0));
    if (error instanceof PatternLimitError) return done(`${schema.name}: ${error.message}`);
    if (!(error instanceof BodyError)) return done(`${schema.name} broke: ${errorLine(error)}`);
    if (error.kind === 'tooLarge')
      return done(
        `the body is longer than ${maxWholeBytes} bytes, or nested too deep, to be checked against ${schema.name}: ${error.message}`,
      );
    if (error.kind !== 'syntax' && error.kind !== 'truncated') return done(error.message);
    breaches.push({ at: '', keyword: 'json', demand: error.kind, expected: 'must be JSON', actual: error.message });
    checked++;
    return done();
  }

  async function awaitPending(): Promise<void> {
    if (pending.length > 0) await Promise.all(pending.splice(0));
  }
}

interface Reader {
  push(chunk: Uint8Array): void;
  end(): void;
  /** Rows that are checked separately. */
  rows(): number;
}

type Check = (value: unknown, basePointer: string) => void;

function lineReader(head: ResponseHead, check: Check, { maxRowBytes = 4 * MIB }: CheckLimits): Reader {
  let line = 0;
  const lines = new JsonLines({
    separator: mediaTypeOf(head.headers).type === 'application/json-seq' ? RECORD_SEPARATOR : NEWLINE,
    maxLineBytes: maxRowBytes,
    longIntegers: 'numbers',
    onValue: (value) => check(value, `/${line++}`),
  });
  return { push: (chunk) => lines.push(chunk), end: () => lines.end(), rows: () => 0 };
}

function documentReader(
  { rows: list }: BodySchema,
  check: Check,
  addBreaches: (value: unknown, basePointer: string, found: readonly SchemaBreach[]) => void,
  { maxWholeBytes = 64 * MIB, maxRowBytes = 4 * MIB }: CheckLimits,
): Reader {
  const basePointer = pointerTo(list?.path ?? []);
  let index = 0;
  const splitter = new JsonSplitter({
    path: list?.path,
    // The rest is checked with the minimum number of them.
    retainedRows: list?.minItems ?? 0,
    maxRowBytes,
    maxSkeletonBytes: maxWholeBytes,
    longIntegers: 'numbers',
    onRows(nodes) {
      for (const node of nodes) {
        // Rows that remain in the rest are checked with it.
        if (list && index >= list.minItems) addBreaches(node, `${basePointer}/${index}`, list.check(node));
        index++;
      }
    },
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      check(splitter.end(), '');
    },
    rows: () => index,
  };
}

function describe(value: unknown, basePointer: string, { path, keyword, demand, expected }: SchemaBreach): BodyBreach {
  return {
    at: `${basePointer}${pointerTo(path)}`,
    keyword,
    // Rows are the same whether they are checked alone or with the rest of the body.
    demand: demandOf(stepsOf(basePointer), [demand]),
    expected: expected.slice(0, 200),
    actual: summariseValue(nodeAt(value, path)),
  };
}
