/** An answer on its way to the client and into the recording. */
import { isAscii } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { endToEnd, looksLikeText, writable } from '../../src/exchange/har/hop.ts';
import { mayHoldUrls, PLACEHOLDER, replaceOrigin, spellPieces } from '../../src/exchange/har/origin.ts';
import { Splitter } from '../../src/exchange/har/splitter.ts';
import { type HeaderLines, INLINE_BYTES, type RecordedResponse } from '../../src/exchange/har/types.ts';
import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import { decode } from './decode.ts';
import type { Leg } from './leg.ts';
import type { BodySink } from './side-file.ts';
import type { Gate } from './types.ts';
import type { Answer } from './upstream.ts';

const without = (lines: HeaderLines, sought: string): HeaderLines =>
  lines.filter(([name]) => name.toLowerCase() !== sought);

/** A cookie for any address: bound to the upstream’s domain or to TLS, a client would not send it back here. */
const unbound = (lines: HeaderLines): [string, string][] =>
  lines.map(([name, value]) => [
    name,
    name.toLowerCase() === 'set-cookie' ? value.replace(/;\s*(?:domain=[^;]*|secure)(?=;|$)/gi, '') : value,
  ]);

async function* behind(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
}

export interface Passing {
  readonly gate: Gate;
  /** What the client is to see in place of the upstream’s origin. */
  readonly base: string;
  readonly method: string;
  readonly answer: Answer;
  readonly response: ServerResponse;
  readonly leg: Leg;
  readonly sink: BodySink;
  /** Told the head to keep as soon as it is known, for a body that breaks off. */
  readonly onHead: (head: Omit<RecordedResponse, 'body'>) => void;
}

/**
 * Passes head and body on as they arrive, with origins replaced, and into the sink. Answers are sent in chunks where the
 * length may change on the way; a short one is held until its new length is known. Rejects where the body breaks off.
 */
export async function passOn({ gate, base, method, answer, response, leg, sink, onHead }: Passing): Promise<void> {
  const { status, reason, headers } = answer;
  const bare = method === 'HEAD' || status === 204 || status === 304;
  // Parts and their codings and positions are the client’s to put together.
  const whole = !bare && status !== 206;
  const decoded = whole ? await decode(answer.body, firstHeader(headers, 'content-encoding')) : { chunks: answer.body };
  const { coding } = decoded;
  const coded = firstHeader(headers, 'content-encoding') !== undefined && coding === undefined;
  let { chunks } = decoded as { chunks: AsyncIterable<Uint8Array> };
  let text = whole && !coded && mayHoldUrls(mediaTypeOf(headers).type);
  if (text === undefined) {
    const source = chunks[Symbol.asyncIterator]();
    const first = await source.next();
    text = !first.done && looksLikeText(first.value);
    if (!first.done) chunks = behind(first.value, source);
  }
  const kept = unbound(coding === undefined ? headers : without(headers, 'content-encoding'));
  onHead({
    status,
    reason,
    headers: kept.map(([name, value]) => [name, replaceOrigin(value, gate.theirs, PLACEHOLDER)]),
    ...(coding !== undefined && { coding }),
  });
  const sent = endToEnd(kept).map(([name, value]): [string, string] => [name, replaceOrigin(value, gate.theirs, base)]);
  const length = Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY);
  const resized = text || coding !== undefined;
  const hold = resized && length <= INLINE_BYTES && coding === undefined;
  const begin = (bytes?: number): void => {
    const lines = resized
      ? sent.flatMap(([name, value]): [string, string][] =>
          name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
        )
      : sent;
    response.sendDate = false;
    const head = lines.flat().map(writable);
    response.writeHead(status, writable(reason), head);
    // Flushed alone a head goes out as UTF-8; together with bytes it goes out as Latin-1, as it came.
    if (isAscii(Buffer.from(head.join('') + reason))) response.flushHeaders();
  };
  const held: Uint8Array[] = [];
  const hide = gate.protector.stream();
  const keep = (parts: readonly Uint8Array[]): Promise<void> => sink.write(parts);
  const pass = async (parts: readonly Uint8Array[]): Promise<void> => {
    if (hold) held.push(...parts);
    else await leg.write(parts);
  };
  if (!hold) begin();
  const splitter = text ? new Splitter(gate.theirs) : undefined;
  try {
    for await (const chunk of chunks) {
      leg.heard();
      const pieces = splitter ? splitter.push(chunk) : [chunk];
      await keep(spellPieces(pieces, PLACEHOLDER).flatMap((each) => hide(each)));
      await pass(spellPieces(pieces, base));
    }
    const last = splitter?.end() ?? [];
    await keep([...spellPieces(last, PLACEHOLDER).flatMap((each) => hide(each)), ...hide()]);
    await pass(spellPieces(last, base));
  } catch (error) {
    if (hold) {
      begin(length);
      for (const part of held) response.write(part);
    }
    throw error;
  }
  leg.turn = gate.recorder.turn();
  if (hold) begin(held.reduce((sum, each) => sum + each.length, 0));
  for (const part of held) response.write(part);
  response.end();
}
