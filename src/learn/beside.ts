import { compileSelector } from '../profile/selector.ts';
import type { Answer } from './ask.ts';
import { type Place, valuesBeside } from './places.ts';

/** Values beside the rows: members, headers, cells of CSV lines that are no rows. */
export function placesBeside(answers: readonly Answer[]): Place[] {
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
  const inLocation = location === undefined ? [] : [locationPlace(location)];
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
    cells: [
      ...place.cells,
      ...others.map(({ document, head }) => compileSelector(place.selector).select(document, head)[0]).map(plainOf),
    ],
  }));
  return [...inDocument, ...inHeaders, ...inLocation, ...inLines];
}

const LAST_SEGMENT = '/([^/?]+)(?:[?].*)?$';

/** The last segment of a Location header. */
const locationPlace = ([name, value]: readonly [string, string]): Place => ({
  selector: `$response.header.${name}`,
  names: ['jobId'],
  cells: [new RegExp(LAST_SEGMENT).exec(value)?.[1]],
  isList: false,
  match: LAST_SEGMENT,
});

const plainOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && '#text' in node ? node['#text'] : node;
