/** Adds the counts and echoes that a profile reads to a response. */
import { INPUT_NAMES } from '../../../src/contract/index.ts';
import type { SelectorSource } from '../../../src/profile/selector.ts';
import { lengthOf } from '../../model/page.ts';
import type { Query } from '../../model/types.ts';
import { inXml } from './lists.ts';
import type { OperationCodec } from './operation-codec.ts';
import type { WrittenCell } from './serialize.ts';
import { put, writePathOf } from './write-path.ts';

/** The rows of one window, or of a response without windows. */
export interface WrittenRows {
  readonly window: string;
  readonly page: Iterable<unknown>;
  /** The number of rows of all pages. */
  readonly total: () => number;
  /** The rows per page; absent: the list has one page. */
  readonly limit: number | undefined;
}

/** Puts each count and echo where the profile reads it; echoes within rows are not written. */
export function addPageMetadata(
  { counts, echoes, media }: OperationCodec,
  written: readonly WrittenRows[],
  echo: Query,
  body: unknown,
): { readonly body: unknown; readonly headers: Record<string, string>; readonly lines: readonly WrittenCell[] } {
  const headers: Record<string, string> = {};
  const lines: WrittenCell[] = [];
  let result = body;
  const write = (at: SelectorSource, value: string | number): void => {
    const place = writePathOf(at);
    if (typeof place === 'string' || place.scope === 'row') return;
    if (place.scope === 'header') headers[place.name] = String(value);
    else if (place.scope === 'line') lines.push({ place, value });
    else
      result = put(result, media === 'xml' ? inXml(place.steps) : place.steps, media === 'xml' ? String(value) : value);
  };
  for (const { at, of } of counts)
    for (const { window, page, total, limit } of written) {
      const count = of === 'page' ? lengthOf(page) : total();
      const pages = limit === undefined ? 1 : Math.ceil(count / limit);
      write(typeof at === 'object' ? at[window as '1'] : at, of === 'pages' ? pages : count);
    }
  for (const input of INPUT_NAMES) {
    const value = echo[input as keyof Query];
    const binding = echoes[input];
    if (!binding || value === undefined) continue;
    const code = binding.codeOf?.(String(value));
    write(binding.at, code ?? binding.spellings?.[String(value)]?.toString() ?? value);
  }
  return { body: result, headers, lines };
}
