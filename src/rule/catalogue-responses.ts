/** Compares responses of group B: which items they have, and which items a catalogue lists. */
import { chainTo, type OperationKey } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import { ANY_ITEMS, isId, itemsOf, pathKey } from './catalogue-walk.ts';
import { inTurn } from './draws.ts';
import { type Declarations, isBlocking, type Reading, type Row, type Steps, step } from './index.ts';

/** A response with the part that comparisons use. */
export interface CatalogueResponse {
  readonly reading: Reading;
  readonly catalogue: string;
  /** The ids of the request without the catalogue. */
  readonly path: string;
  /** `undecided`: a failure, an overload, missing credentials, an incomplete list. */
  readonly content: 'items' | 'empty' | 'refused' | 'undecided';
  /** The items as text, independent of their order. */
  readonly items: string;
  readonly rows: number;
}

function contentOf(reading: Reading, declarations: Declarations): CatalogueResponse['content'] {
  const { head, observation } = reading;
  if (!head || isBlocking(head.status, declarations.statuses(reading.operation))) return 'undecided';
  if (head.status === 204) return 'empty';
  if (head.status >= 200 && head.status < 300) {
    if (!observation?.complete || observation.problem) return 'undecided';
    return observation.rows > 0 ? 'items' : 'empty';
  }
  return head.status >= 400 && head.status < 500 ? 'refused' : 'undecided';
}

/** Describes responses of one operation, each exchange once. */
export function describeResponses(readings: readonly Reading[], declarations: Declarations): CatalogueResponse[] {
  const byExchange = new Map(readings.map((reading) => [reading.exchange, reading]));
  return [...byExchange.values()].map((reading) => ({
    reading,
    catalogue: String(reading.inputs.catalogueId),
    path: pathKey(reading.inputs),
    content: contentOf(reading, declarations),
    items: JSON.stringify([
      ...itemsOf(reading)
        .map((row) => JSON.stringify([row.id, row.name, row.date, row.grain]))
        .sort(),
      reading.observation?.values.grain,
    ]),
    rows: reading.observation?.rows ?? 0,
  }));
}

/**
 * Whether two responses have the same items; undefined if that cannot be known, because the profile does not read the ids
 * and names and the rest of the responses differs.
 */
export function haveSameItems(
  one: CatalogueResponse,
  other: CatalogueResponse,
  declarations: Declarations,
): boolean | undefined {
  if (one.items !== other.items) return false;
  const { operation, signature } = one.reading;
  const readsBoth = declarations.binds(operation, 'fields.id', 'fields.name');
  if ((readsBoth && hasOwnNames(itemsOf(one.reading))) || signature?.body === other.reading.signature?.body)
    return true;
  // A repetition of the requested id is no difference.
  const [own, others] = [one, other].map(bodyWithoutId);
  const isEchoed = declarations.echoes(operation).includes('catalogueId');
  return isEchoed && own !== undefined && own === others ? true : undefined;
}

/** Whether names say more than ids: in a list, at least two are no ids. */
function hasOwnNames(items: readonly Row[]): boolean {
  const ids = new Set(items.map(({ id }) => id));
  const names = new Set(items.flatMap(({ name }) => (isId(name) && !ids.has(name) ? [name] : [])));
  return names.size > (items.length > 1 ? 1 : 0);
}

/** The body of a response without the id of its catalogue; undefined if that is not there once, as a word. */
function bodyWithoutId({ reading, catalogue }: CatalogueResponse): string | undefined {
  const [before, after, more] = reading.signature?.body.split(catalogue) ?? [];
  const isWord = before !== undefined && after !== undefined && !/[\w.-]$/.test(before) && !/^[\w.-]/.test(after);
  return isWord && more === undefined ? before + after : undefined;
}

/** The lists that name the items of each catalogue. */
export class CatalogueLists {
  readonly #lists = new Map<string, CatalogueResponse>();

  constructor(readings: readonly Reading[], declarations: Declarations) {
    for (const each of describeResponses(readings, declarations))
      this.#lists.set(`${each.reading.operation} ${each.catalogue} ${each.path}`, each);
  }

  /** Whether the lists of a catalogue name each id of a request; undefined if one of the lists was not read. */
  listsIds(catalogue: string, operation: OperationKey, inputs: Inputs): boolean | undefined {
    const chain = chainTo(operation);
    if (chain.length === 0) return undefined;
    for (const [at, { parent, as }] of chain.entries()) {
      const ids = Object.fromEntries(chain.slice(0, at).map((edge) => [edge.as, inputs[edge.as]]));
      const list = this.#lists.get(`${parent} ${catalogue} ${pathKey(ids as Inputs)}`);
      if (!list || list.content === 'undecided' || list.content === 'refused') return undefined;
      const value = String(inputs[as]);
      if (!itemsOf(list.reading).some(({ id, name }) => String(id) === value || String(name) === value)) return false;
    }
    return true;
  }

  /** The ids of all requests of an operation that the lists of a catalogue name; undefined if one of them was not read. */
  listedInputs(catalogue: string, operation: OperationKey): readonly Inputs[] | undefined {
    let known: Inputs[] = [{}];
    for (const { parent, as } of chainTo(operation)) {
      const below: Inputs[] = [];
      for (const ids of known) {
        const list = this.#lists.get(`${parent} ${catalogue} ${pathKey(ids)}`);
        if (!list || list.content === 'undecided') return undefined;
        below.push(...itemsOf(list.reading).map(({ id, name }): Inputs => ({ ...ids, [as]: String(id ?? name) })));
      }
      known = below;
    }
    return known;
  }

  /** The number of items in all lists of an operation that were read. */
  count(parent: OperationKey): number {
    const ofOperation = [...this.#lists.values()].filter(({ reading }) => reading.operation === parent);
    return ofOperation.reduce((sum, { rows }) => sum + rows, 0);
  }
}

/** The step that sends ids of one catalogue with the id of another. */
export const FOREIGN = 'id of another catalogue';
/** The step that sends such an id to its own catalogue once more. */
export const CONTROL = 'same id in its own catalogue';

/**
 * The steps for an operation.
 * @param own the steps that request the operation with ids of the same catalogue
 * @param lists the steps that list these ids
 */
export function foreignSteps(
  subject: OperationKey,
  declarations: Declarations,
  own: readonly string[],
  lists: readonly string[],
): Steps {
  const as = { id: chainTo(subject).at(-1)?.as ?? 'measure' } as const;
  const max = Math.min(
    declarations.draw('foreignItems') * 2 * (declarations.draw('comparedCatalogues') - 1),
    declarations.maxSubjects,
  );
  return {
    [FOREIGN]: step({
      ...ANY_ITEMS,
      operation: subject,
      each: {
        from: [...own, ...lists],
        as,
        max,
        select: (sources) => foreignRequests(subject, sources, declarations),
        key: `ids of other catalogues to ${subject}`,
      },
      mayBeUnknown: true,
    }),
    [CONTROL]: step({
      ...ANY_ITEMS,
      operation: subject,
      each: {
        from: [...own, FOREIGN],
        as,
        max: declarations.draw('comparedCatalogues'),
        select: (sources) => controlRequests(subject, sources, declarations),
        key: `controls of ${subject}`,
      },
      repetition: 1,
    }),
  };
}

/** The responses of an operation by catalogue. */
function byCatalogue(
  subject: OperationKey,
  sources: readonly Reading[],
  declarations: Declarations,
): readonly (readonly [catalogue: string, responses: readonly CatalogueResponse[]])[] {
  const own = sources.filter(({ operation }) => operation === subject);
  const all = [...Map.groupBy(describeResponses(own, declarations), ({ catalogue }) => catalogue)];
  return all.slice(0, declarations.draw('comparedCatalogues'));
}

/** Alternates responses with different last ids, because a defect may affect one level only. */
const interleaveByLastId = (responses: readonly CatalogueResponse[]): readonly CatalogueResponse[] =>
  inTurn([...Map.groupBy(responses, ({ reading: { inputs } }) => String(Object.values(inputs).at(-1))).values()]);

function foreignRequests(subject: OperationKey, sources: readonly Reading[], declarations: Declarations): Inputs[] {
  const lists = new CatalogueLists(sources, declarations);
  const catalogues = byCatalogue(subject, sources, declarations);
  const most = declarations.draw('foreignItems');
  return catalogues.flatMap(([, responses], at) => {
    const [other, ofOther = []] = catalogues[(at + 1) % catalogues.length] ?? [];
    const id = ofOther[0]?.reading.inputs.catalogueId;
    if (catalogues.length < 2 || other === undefined || id === undefined) return [];
    const requested = new Set(ofOther.map(({ path }) => path));
    const isForeign = ({ content, path, reading }: CatalogueResponse): boolean =>
      content === 'items' &&
      !requested.has(path) &&
      (chainTo(subject).length === 0 || lists.listsIds(other, subject, reading.inputs) === false);
    return interleaveByLastId(responses.filter(isForeign))
      .slice(0, at === 0 ? most : Math.ceil(most / 3))
      .map(({ reading }) => ({ ...reading.inputs, catalogueId: id }));
  });
}

function controlRequests(subject: OperationKey, sources: readonly Reading[], declarations: Declarations): Inputs[] {
  const catalogues = byCatalogue(subject, sources, declarations);
  return catalogues.flatMap(([catalogue, responses]) => {
    const lacking = new Set(
      catalogues.flatMap(([other, ofOther]) =>
        other === catalogue
          ? []
          : ofOther.filter(({ content }) => content === 'refused' || content === 'empty').map(({ path }) => path),
      ),
    );
    return responses
      .filter(({ content, path }) => content === 'items' && lacking.has(path))
      .slice(0, 1)
      .map(({ reading }) => reading.inputs);
  });
}
