/** A response while it is written. */
import type { SelectorSource } from '../../../src/profile/selector.ts';
import type { ResponseMedia } from './value.ts';
import { type LineWritePath, put, stepsIn, writePathOf } from './write-path.ts';

/** A cell of a CSV line that is no row. */
export interface WrittenCell {
  readonly place: LineWritePath;
  readonly value: unknown;
}

/** The body as a value, the headers, and the cells of CSV lines that are no rows. */
export class ComposedResponse {
  readonly media: ResponseMedia;
  body: unknown;
  readonly headers: Record<string, string> = {};
  readonly lines: WrittenCell[] = [];

  constructor(media: ResponseMedia, body?: unknown) {
    this.media = media;
    this.body = body;
  }

  /** Puts a value where a selector reads it, outside of rows. `undefined` removes a value of the body. */
  put(at: SelectorSource, value: unknown): void {
    const place = writePathOf(at);
    if (typeof place === 'string' || place.scope === 'row') return;
    if ('steps' in place) this.body = put(this.body, stepsIn(this.media, place.steps), value);
    else if (place.scope === 'line') this.lines.push({ place, value });
    else if (value !== undefined) this.headers[place.name] = String(value);
  }
}
