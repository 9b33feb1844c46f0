/** Requests that send an id of one catalogue with the id of another, and controls in the catalogue that lists it. */
import { chainTo, type OperationKey } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import { CatalogueLists, type CatalogueResponse, describeResponses } from './catalogue-responses.ts';
import { ITEMS } from './catalogue-walk.ts';
import { inTurn } from './draw-nodes.ts';
import { type Declarations, type Reading, type Steps, step } from './index.ts';

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
      operation: subject,
      each: {
        from: [...own, ...lists],
        as,
        max,
        select: (sources) => foreignRequests(subject, sources, declarations),
        key: `ids of other catalogues to ${subject}`,
      },
      accepts: 'any',
      optional: true,
      mayBeUnknown: true,
      folds: { items: ITEMS },
    }),
    [CONTROL]: step({
      operation: subject,
      each: {
        from: [...own, FOREIGN],
        as,
        max: declarations.draw('comparedCatalogues'),
        select: (sources) => controlRequests(subject, sources, declarations),
        key: `controls of ${subject}`,
      },
      repetition: 1,
      accepts: 'any',
      optional: true,
      folds: { items: ITEMS },
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
