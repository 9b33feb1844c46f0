import { OPERATIONS } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import type { ResponseHead } from '../../exchange/types.ts';
import { compileSelector } from '../../profile/selector.ts';
import { LAST_SEGMENT, type Place, scalarOf, valuesBeside } from './places.ts';

/** What an answer shows: its decoded body, its head, and the lines of CSV that are no rows. */
export interface Shown {
  readonly document?: unknown;
  readonly head: ResponseHead;
  readonly lines?: readonly (readonly string[])[] | undefined;
}

/** The first value at a place of an answer. */
export const firstValueAt = (selector: Parameters<typeof compileSelector>[0], { document, head, lines }: Shown) =>
  scalarOf(compileSelector(selector).select(document, { ...head, ...(lines && { lines }) })[0]);

/** Values beside the rows: members, headers, cells of CSV lines that are no rows. */
export function placesBeside(answers: readonly Shown[]): Place[] {
  const [first, ...others] = answers;
  if (!first) return [];
  const inHeaders = first.head.headers
    .filter(
      ([name]) =>
        /^(x-|.*(date|week|as-?of|through|count|total))/i.test(name) && !/^(date|last-modified|expires)$/i.test(name),
    )
    .map(
      ([name, value]): Place => ({
        selector: `$response.header.${name}`,
        names: [name.replace(/^x-/i, '')],
        cells: [value],
        isList: false,
      }),
    );
  const location = first.head.headers.find(([name]) => /^(content-)?location$/i.test(name));
  const inLocation = location === undefined ? [] : locationPlaces(location, answers);
  const inLines = (first.lines ?? []).flatMap(([name = '', value]): Place[] => {
    const text = name.replace(/^[#/;\s-]+/, '');
    return value === undefined || text === ''
      ? []
      : [
          {
            selector: `$response.line['${name.replace(/[\\']/g, '\\$&')}'][0]`,
            names: [text],
            cells: [value],
            isList: false,
          },
        ];
  });
  const inDocument = valuesBeside(first.document).map((place) => ({
    ...place,
    cells: [...place.cells, ...others.map((each) => firstValueAt(place.selector, each))],
  }));
  return [...inDocument, ...inHeaders, ...inLocation, ...inLines];
}

/** The last segment of a Location header, which may be all of it, and the values of its query. */
function locationPlaces([header, value]: readonly [string, string], answers: readonly Shown[]): Place[] {
  const parameters = [...value.matchAll(/[?&]([\w.-]+)=/g)].map(([, name]) => name as string);
  const isOperation = OPERATIONS.some(({ path }) => value.replace(/[?].*/, '').endsWith(path));
  const isWhole = !/[/?]/.test(value);
  const places: [name: string, match: string | undefined][] = [
    ...(isOperation ? [] : [['jobId', isWhole ? undefined : LAST_SEGMENT] as [string, string | undefined]]),
    ...parameters.map((name): [string, string] => [name, `[?&]${name.replaceAll('.', '[.]')}=([^&]+)`]),
  ];
  return places.map(([name, match]) => ({
    selector: `$response.header.${header}`,
    names: [name],
    cells: answers.map(({ head }) => {
      const text = firstHeader(head.headers, header);
      return match === undefined ? text : new RegExp(match).exec(text ?? '')?.[1];
    }),
    isList: false,
    ...(match !== undefined && { match }),
  }));
}
