/** Drafts a request template from parameters and a request body. */
import { type Input, operationOf, PAGING_INPUTS } from '../../contract/index.ts';
import { headerNameProblem, headerValueProblem } from '../http-text.ts';
import type { PlainObject, Scalar } from '../plain-object.ts';
import { bodyOf } from './bodies.ts';
import { constantOf, templateLiteral } from './constants.ts';
import type { Description } from './description.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import { type InputContext, inputOf } from './inputs.ts';
import { quoteText } from './name-words.ts';
import type { DescribedOperation } from './operations.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { isSingle } from './rows.ts';
import { readWindows, type WindowSpellings } from './windows.ts';

/** The draft of a request: its template, and what the drafts of the response and the examples need of it. */
export interface RequestDraft {
  readonly template?: PlainObject;
  /** Parameters by their input. */
  readonly parametersByInput: ReadonlyMap<Input, Parameter>;
  /** Query parameters without an input and without a constant. */
  readonly unused: readonly Parameter[];
  /** Whether a constant was chosen among several values; its parameter may be an input. */
  readonly guessed: boolean;
}

/** Inputs that rules always provide. */
const PROVIDED_INPUTS: readonly Input[] = [
  'upc',
  'window',
  'jobId',
  'catalogueId',
  'dimension',
  'group',
  'hierarchy',
  'level',
  'attribute',
  'measure',
];

/** The inputs of requests to the operation. */
export const requestInputs = ({ key }: DescribedOperation): readonly Input[] => [
  ...operationOf(key).inputs.filter((input) => input !== 'upc'),
  // One item has no pages: a member such as “from” has another meaning.
  ...(isSingle(key) ? [] : PAGING_INPUTS),
];

/** Drafts the request of one operation; values it open if a required part has no value to send. */
export function draftRequest(
  description: Description,
  described: DescribedOperation,
  context: InputContext,
  draftNotes: DraftNotes,
): RequestDraft {
  const at = ['operations', described.key, 'request'];
  const inputs = requestInputs(described);
  const query: Record<string, Scalar> = {};
  const headers: Record<string, string> = {};
  const spellings: Record<string, WindowSpellings> = {};
  const parametersByInput = new Map<Input, Parameter>();
  const unused: Parameter[] = [];
  const missing: string[] = [];
  let guessed = false;
  const parameters = parametersOf(description, described);
  for (const parameter of parameters) {
    const { name, place, required, schema } = parameter;
    const match = inputOf(parameter, inputs, { ...context, parameters });
    const where = [...at, place === 'header' ? 'headers' : 'query', name];
    const forbidden = place === 'header' ? headerNameProblem(name) : undefined;
    if (forbidden) {
      if (required) missing.push(`${quoteText(name)} (header), which ${forbidden}`);
      else addUndecided(draftNotes, at, `the header ${quoteText(name)} is left out: its name ${forbidden}`);
      continue;
    }
    if (match && 'input' in match && place !== 'cookie' && !parametersByInput.has(match.input)) {
      const { input } = match;
      if (
        input === 'window' &&
        !(parameter.schema.type === 'integer' && /week/i.test(name) && schema.enumValues.length === 0)
      ) {
        const read = readWindows(schema, parameter.description);
        if (!read) {
          const about = quoteText(
            parameter.description || schema.enumValues.map(({ value }) => String(value)).join(', ') || name,
          );
          addUndecided(
            draftNotes,
            [...at, 'spellings', 'window'],
            `the values of ${name} for 1, 4 and 13 weeks cannot be determined from ${about}`,
          );
          if (required) missing.push(`${name} (the delta window)`);
          continue;
        }
        if (Object.entries(read.spellings).some(([week, written]) => week !== String(written))) {
          spellings.window = read.spellings;
          note(draftNotes, [...at, 'spellings'], 'likely', `read from ${read.reason}`);
        }
      }
      if (required && !PROVIDED_INPUTS.includes(input) && !(PAGING_INPUTS as readonly Input[]).includes(input)) {
        missing.push(
          `${name}: a filter that is required here but optional in the document (section 4.4), so no request can omit it`,
        );
        continue;
      }
      parametersByInput.set(input, parameter);
      (place === 'header' ? headers : query)[name] = `{${input}}`;
      note(draftNotes, where, match.confidence, match.reason);
      continue;
    }
    if (match && 'doubt' in match) addUndecided(draftNotes, at, match.doubt);
    const given = required ? constantOf(name, parameter.examples, schema) : undefined;
    const isSendable = place !== 'header' || headerValueProblem(String(given?.value ?? '')) === undefined;
    const constant = isSendable ? given : undefined;
    if (constant && place !== 'cookie') {
      const value = templateLiteral(constant.value);
      if (place === 'header') headers[name] = String(value);
      else query[name] = value;
      if (constant.confidence !== 'stated') guessed = true;
      note(draftNotes, where, constant.confidence, `required; ${constant.reason}`);
    } else if (required && !isAuthHeader(parameter))
      missing.push(`${name} (${place}), which has no value that certainly exists in the service`);
    else unused.push(parameter);
  }
  const body = bodyOf(description, described, inputs, draftNotes);
  missing.push(...body.missing);
  if (missing.length > 0) {
    addUndecided(draftNotes, at, `a valid request needs ${missing.join('; and ')}`);
    return { parametersByInput, unused, guessed };
  }
  const template = {
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...body.template,
    ...(Object.keys(spellings).length > 0 && { spellings }),
  };
  if (Object.keys(template).length === 0)
    note(draftNotes, at, 'stated', 'no parameter is required, so a request without parameters is valid');
  for (const [input, parameter] of body.parametersByInput)
    if (!parametersByInput.has(input)) parametersByInput.set(input, parameter);
  return { template, parametersByInput, unused, guessed };
}

/** Headers that OpenAPI ignores as parameters (Parameter Object). */
const isAuthHeader = ({ name, place }: Parameter): boolean =>
  place === 'header' && /^(accept|content-type|authorization)$/i.test(name);
