/** Drafts a profile from an OpenAPI description: the values, their reasons, and the undecided openings. Reads no file. */

import { GROUPS, type Group, type OperationKey, operationsOf } from '../../contract/index.ts';
import { objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { markAbsentInputs } from './absent-inputs.ts';
import { draftAuth } from './auth.ts';
import { escapeVariables } from './constants.ts';
import { type Description, DescriptionError } from './description.ts';
import { declaredSchemas, draftFromExtension, statedFacts } from './draft-extension.ts';
import { createDraftNotes, type DraftNotes, note } from './draft-notes.ts';
import { draftOperation } from './draft-operation.ts';
import { suggestExamples } from './examples.ts';
import { draftJobs } from './jobs.ts';
import { draftMarkets } from './markets.ts';
import { quoteText } from './name-words.ts';
import { type DescribedOperation, findDescribedOperations } from './operations.ts';
import { draftPrefixes } from './prefixes.ts';
import { draftSchemas, type ResponseSchemas } from './schemas.ts';

export interface Draft extends DraftNotes {
  /** The profile as an author would write it. */
  readonly profile: PlainObject;
  /** Example values of the description; they may not exist in the service. */
  readonly examples: PlainObject;
  readonly schemas: ResponseSchemas;
  /** Names of the environment variables that the profile uses. */
  readonly variables: readonly string[];
}

/**
 * Drafts a profile. Throws DescriptionError if the description contains none of the 41 operations.
 *
 * @example draftFromDescription(loadDescription('openapi.yaml')).profile.implements // ['C']
 */
export function draftFromDescription(description: Description): Draft {
  const draftNotes = createDraftNotes();
  const { found, similarPaths } = findDescribedOperations(description);
  if (found.length === 0) {
    const nearest = similarPaths.length > 0 ? `; closest: ${similarPaths.slice(0, 3).join('; ')}` : '';
    throw new DescriptionError(
      `${description.source}: describes none of the 41 operations of the interface, by method and path${nearest}`,
    );
  }
  draftNotes.remarks.push(...similarPaths);
  const facts = statedFacts(description);
  if (facts) {
    const implemented = implementedOperations(found, draftNotes);
    const profile = draftFromExtension(description, found, facts, implemented, draftNotes);
    return {
      ...draftNotes,
      profile,
      examples: {},
      schemas: declaredSchemas(description, found),
      variables: variablesOf(profile),
    };
  }
  const info = objectAt(description.root, 'info');
  const title = textAt(info, 'title');
  const apiDescription = textAt(info, 'description') ?? '';
  const operations = markAbsentInputs(
    found.map((described) => draftOperation(description, described, draftNotes)),
    draftNotes,
  );
  const operationsWithJobId = new Set(
    operations
      .filter(
        ({ profile, parametersByInput }) =>
          objectAt(objectAt(profile, 'response'), 'fields').jobId !== undefined || parametersByInput.has('jobId'),
      )
      .map(({ described }) => described.key),
  );
  const jobs = draftJobs(description, found, operationsWithJobId, draftNotes);
  const prefixes = draftPrefixes(found, draftNotes);
  const markets = draftMarkets(operations, draftNotes);
  const week =
    /[^.\n]*\b(weeks?|data)\b[^.\n]*\b(end(s|ing)?|through|close[sd]?)\b[^.\n]*\b(sun|mon|tues|wednes|thurs|fri|satur)day\b[^.\n]*/i.exec(
      apiDescription,
    )?.[0];
  draftNotes.undecided.push({
    opening: 'dataWeek',
    why:
      week === undefined
        ? 'a schema does not state when a data week ends and what its dates mean'
        : `the description says ${quoteText(week, 200)}; state what each date means`,
  });
  if (found.some((each) => each.key.startsWith('GET /RetailMeasurement/') && !each.key.endsWith('Metadata')))
    draftNotes.undecided.push({
      opening: 'figures.percentChange',
      why: 'a schema does not state the sales the percentage is computed from and its rounding',
    });
  if (found.some((each) => each.key.startsWith('POST /data-access/')))
    draftNotes.undecided.push({
      opening: 'catalogue.distinguishing',
      why: 'a schema does not state which responses depend on the catalogue',
    });
  const unescaped = {
    name: (title ?? 'my-service').trim() || 'my-service',
    implements: implementedOperations(found, draftNotes),
    ...prefixes,
    ...markets,
    ...(Object.keys(jobs).length > 0 && { jobs }),
    operations: Object.fromEntries(
      operations
        .filter(({ profile: each }) => Object.keys(each).length > 0)
        .map(({ described, profile: each }) => [described.key, each]),
    ),
  };
  const { name, implements: implementedParts, ...rest } = escapeVariables(unescaped);
  const profile: PlainObject = {
    name,
    implements: implementedParts,
    ...draftAuth(description, found, draftNotes),
    ...rest,
  };
  const examples = suggestExamples(description, operations, draftNotes);
  for (const [reference, why] of description.unresolvedReferences)
    draftNotes.remarks.push(`${reference.replace(/^.*[\\/]/, '')} could not be resolved: ${why}`);
  const schemas = draftSchemas(description, found);
  return {
    ...draftNotes,
    profile,
    examples: escapeVariables(examples),
    schemas,
    variables: variablesOf(profile),
  };
}

/** The environment variables of the credentials. */
const variablesOf = ({ auth, authFor }: PlainObject): string[] => [
  ...new Set(
    [...JSON.stringify([auth ?? null, authFor ?? null]).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name as string),
  ),
];

/** The value of `implements`: the letter of each group that is described completely, otherwise the keys of its described operations. */
function implementedOperations(found: readonly DescribedOperation[], draftNotes: DraftNotes): (Group | OperationKey)[] {
  const keys = found.map((each) => each.key);
  const list = (Object.keys(GROUPS) as Group[]).flatMap((group) => {
    const all = operationsOf(group);
    const present = all.filter((key) => keys.includes(key));
    if (present.length === all.length) return [group];
    const absent = all.filter((key) => !keys.includes(key));
    const which = absent.length > 5 ? `${absent.length} of ${all.length} operations` : absent.join(', ');
    if (present.length > 0) draftNotes.remarks.push(`the description lacks ${which} of group ${group}`);
    return present;
  });
  note(
    draftNotes,
    ['implements'],
    'stated',
    'the described paths and methods; keep every operation that the service claims to serve',
  );
  return list;
}
