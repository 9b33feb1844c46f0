/**
 * Replaces licensed sales figures (sections 4.4 and 8) by invented ones in responses of group D. Only values that the
 * profile’s selectors read are known to be figures; all other values of a row stay.
 */
import { isUtf8 } from 'node:buffer';
import {
  FIELDS,
  type OperationKey,
  PERFORMANCE_OPERATIONS,
  SALES_FIGURES,
  SALES_FILTERS,
} from '../../contract/index.ts';
import { converterFor } from '../../profile/converters/index.ts';
import { EVERY } from '../../profile/path-steps.ts';
import { compilePattern, type Pattern, PatternLimitError } from '../../profile/pattern/index.ts';
import type { FieldBinding, Profile, ResponseProfile } from '../../profile/schema.ts';
import { compileSelector, type Selector, type StatusAndHeaders } from '../../profile/selector.ts';
import { type FigureFormat, type Figures, formatLike, inventFigures, shownDecimals } from './invent.ts';
import { LONGEST_SCRUBBED, type Location, locate, parseSpans, ScrubRefusal, type ValueSpans } from './value-spans.ts';

/** A body with invented data; or, in one sentence, why that is impossible: then the body must not be written. */
export type Scrubbed = { readonly bytes: Buffer } | { readonly whyNotRecorded: string };

type Figure = (typeof SALES_FIGURES)[number];

interface Reader {
  readonly figure: Figure;
  readonly selector: Selector;
  readonly format: FigureFormat;
  /** The part of the text that is the value. */
  readonly match: Pattern | undefined;
}

/** One figure of one row, with its position. */
interface LocatedFigure extends Location {
  readonly figure: Figure;
  readonly format: FigureFormat;
  readonly neutral: number;
  /** The position of the figure within its text. */
  readonly part: readonly [start: number, end: number] | undefined;
}

function readersOf(fields: NonNullable<ResponseProfile['fields']>): Reader[] {
  return SALES_FIGURES.flatMap((figure) => {
    const binding: FieldBinding | undefined = fields[figure];
    if (!binding) return [];
    const selector = compileSelector(binding.at, 'row');
    if (selector.scope !== 'row') throw new ScrubRefusal(`the profile reads ${figure} outside of the rows`);
    const format = ('as' in binding && binding.as) || 'number';
    const match =
      binding.match === undefined
        ? undefined
        : compilePattern(binding.match, { key: `response.fields.${figure}.match` });
    return [{ figure, selector, format: format as FigureFormat, match }];
  });
}

/** Returns a function that identifies a row by its names in the profile, without its figures. */
function identityReader(
  fields: NonNullable<ResponseProfile['fields']>,
  head: StatusAndHeaders,
): (row: unknown) => string {
  const selectors = [...SALES_FILTERS, 'market' as const, 'grain' as const].map((name) => {
    const at = fields[name]?.at;
    const selector = at === undefined ? undefined : compileSelector(at, 'row');
    return { name, selector: selector?.scope === 'row' ? selector : undefined };
  });
  // The whole row as grain would make figures part of its identity.
  const isName = (name: string) => (each: unknown) => name !== 'grain' || typeof each !== 'object';
  return (row) =>
    JSON.stringify(selectors.map(({ name, selector }) => selector?.select(row, head).filter(isName(name))));
}

/** Invents figures for one recording: equal rows with equal figures get equal ones in every response. */
export class FigureScrubber {
  readonly #profile: Profile;
  /** By operation and identity, the different figures in order of occurrence: they stay different. */
  readonly #seenFigures = new Map<string, string[]>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  /** Whether responses of this operation contain figures. */
  static applies(operation: OperationKey | undefined): operation is OperationKey {
    return operation !== undefined && PERFORMANCE_OPERATIONS.includes(operation);
  }

  /**
   * Returns a response body with invented figures; all other bytes stay.
   * @example new FigureScrubber(profile).scrub('GET /RetailMeasurement/v1/BrandPerformance', body, head)
   */
  scrub(operation: OperationKey, bytes: Buffer, head: StatusAndHeaders): Scrubbed {
    const response = this.#profile.data.operations?.[operation]?.response;
    const refuse = (why: string): Scrubbed => ({
      whyNotRecorded: `the figures of a response to ${operation} cannot be replaced by invented ones: ${why}; record without --scrub figures`,
    });
    // An error response contains no figures, and may have an undeclared structure.
    const isSuccess = head.status >= 200 && head.status <= 299 && bytes.length > 0;
    if (!FigureScrubber.applies(operation) || !isSuccess) return { bytes };
    if (bytes.length > LONGEST_SCRUBBED) return refuse(`it is longer than ${LONGEST_SCRUBBED} bytes`);
    // In other supersets of ASCII, Latin-1 may decode letters wrongly, but encodes them to the same bytes again.
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
    if (bytes.includes(0)) return refuse('it is no text in a superset of ASCII');
    const text = bytes.toString(encoding);
    if (typeof response?.rows !== 'string' && typeof response?.rows !== 'function')
      return refuse('the profile does not say where its rows are');
    if ((response.csv?.header ?? 1) !== 1)
      return refuse('the names of its columns are not in the first record (response.csv.header)');
    if (response.shape)
      return refuse('the profile shapes its rows (response.shape), so that their places are not known');
    try {
      const { fields = {} } = response;
      const readers = readersOf(fields);
      if (readers.length === 0) return refuse('the profile binds none of its figures');
      const places = parseSpans(text, head, response);
      const identityOf = identityReader(fields, head);
      const edits = this.#rows(places, response.rows, head).flatMap((row) => {
        const found = readers.flatMap((reader) => this.#find(row, reader, head));
        return this.#replace(operation, identityOf(row), found, places, text);
      });
      return { bytes: Buffer.from(apply(text, edits), encoding) };
    } catch (error) {
      if (error instanceof ScrubRefusal || error instanceof PatternLimitError) return refuse(error.message);
      throw error;
    }
  }

  #rows({ tree }: ValueSpans, rows: NonNullable<ResponseProfile['rows']>, head: StatusAndHeaders): readonly unknown[] {
    const selector = compileSelector(rows as string);
    const found = selector.select(tree, head);
    if (selector.steps?.at(-1) === EVERY) return found;
    return found.flatMap((each) => (Array.isArray(each) ? each : [each]));
  }

  #find(row: unknown, { figure, selector, format, match }: Reader, head: StatusAndHeaders): LocatedFigure[] {
    const found = locate(row, selector, head);
    if (found === 'missing') return [];
    if (found === 'unclear') throw new ScrubRefusal(`the place of ${figure} at ${selector.source} is unclear`);
    const matched = match?.find(String(found.value));
    const part = matched?.[1] ?? matched?.[0];
    const figureText = part ? String(found.value).slice(...part) : found.value;
    const read = converterFor(FIELDS[figure].kind, format).read(figureText);
    if (!('value' in read) || (match && !part)) {
      // A blank or a dash is not a figure; unreadable digits may be one.
      if (/\d/.test(String(found.value))) throw new ScrubRefusal(`a value of ${figure} cannot be read`);
      return [];
    }
    return [{ ...found, figure, format, part, neutral: read.value as number }];
  }

  #replace(
    operation: string,
    identity: string,
    found: readonly LocatedFigure[],
    places: ValueSpans,
    text: string,
  ): Edit[] {
    const figures: Figures = Object.fromEntries(found.map(({ figure, neutral }) => [figure, neutral]));
    const key = `${operation}\n${identity}`;
    const seenFigures = this.#seenFigures.get(key) ?? [];
    const serialised = JSON.stringify(figures);
    if (!seenFigures.includes(serialised)) seenFigures.push(serialised);
    this.#seenFigures.set(key, seenFigures);
    const located = found.map((each) => {
      const valueSpan = places.at(each.holder, each.key);
      const { part, figure } = each;
      // In a text with escapes, positions in the value differ from positions in the text.
      const isPlain = valueSpan && (!part || text.slice(valueSpan.start, valueSpan.end) === String(each.value));
      if (!isPlain) throw new ScrubRefusal(`a value of ${figure} is not contiguous in the text`);
      const span = part ? { start: valueSpan.start + part[0], end: valueSpan.start + part[1] } : valueSpan;
      const raw = text.slice(span.start, span.end);
      return { ...each, span, raw, shown: shownDecimals(raw, each.format) };
    });
    const maxShown = (which: (figure: Figure) => boolean, maxShown: number): number =>
      Math.min(maxShown, Math.max(0, ...located.filter(({ figure }) => which(figure)).map((each) => each.shown)));
    const decimals = {
      decimals: maxShown((figure) => figure !== 'percentChange', 2),
      percentDecimals: maxShown((figure) => figure === 'percentChange', 4),
    };
    const statement = this.#profile.data.figures?.percentChange;
    const invented = inventFigures(figures, `${key}\n${seenFigures.indexOf(serialised)}`, decimals, statement);
    return located.map(({ figure, span, raw, format, value }) => {
      const wanted = invented[figure] as number;
      const written = formatLike(wanted, raw, format, typeof value === 'number');
      const reread = converterFor(FIELDS[figure].kind, format).read(
        typeof value === 'number' ? Number(written) : written,
      );
      if (!('value' in reread) || Math.abs((reread.value as number) - wanted) > 1e-6)
        throw new ScrubRefusal(`${figure} is written in a way that cannot be imitated`);
      return { ...span, text: written };
    });
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function apply(text: string, edits: Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: written } of edits.sort((a, b) => a.start - b.start)) {
    // Two names may read the same position.
    if (start < at) continue;
    pieces.push(text.slice(at, start), written);
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}
