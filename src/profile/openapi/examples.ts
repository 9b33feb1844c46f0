/** Example values of a description. They may be invented, so a draft suggests them and does not use them. */
import { type Input, isUpc, operationOf } from '../../contract/index.ts';
import { isScalar, memberOf, type PlainObject, type Scalar, textAt } from '../plain-object.ts';
import type { Description } from './description.ts';
import { addUndecided, type DraftNotes } from './draft-notes.ts';
import type { DraftedOperation } from './drafted-operation.ts';
import { examplesOf } from './parameters.ts';
import { resolveSchema } from './resolved-schema.ts';

/** Inputs whose values rules take only from `examples`. */
const EXAMPLE_INPUTS: readonly Input[] = [
  'catalogueId',
  'dimension',
  'attribute',
  'group',
  'hierarchy',
  'level',
  'measure',
];

/** Collects `examples` of a profile from the description. */
export function suggestExamples(
  description: Description,
  operations: readonly DraftedOperation[],
  draftNotes: DraftNotes,
): PlainObject {
  const found = new Map<Input, Set<Scalar>>();
  const add = (input: Input, values: readonly unknown[]) => {
    for (const value of values.flat().filter(isScalar)) found.set(input, (found.get(input) ?? new Set()).add(value));
  };
  for (const { described, parametersByInput, fields } of operations) {
    for (const input of EXAMPLE_INPUTS) add(input, parametersByInput.get(input)?.examples ?? []);
    for (const parameter of described.parameters) {
      if (textAt(parameter, 'in') !== 'path' || textAt(parameter, 'name') !== described.upcName) continue;
      const shown = examplesOf(description, parameter, resolveSchema(description, memberOf(parameter, 'schema')));
      add('upc', shown.map(String).filter(isUpc));
    }
    if (operationOf(described.key).group === 'C')
      add('upc', (fields.get('upc')?.schema.examples ?? []).map(String).filter(isUpc));
  }
  const keys = operations.map(({ described }) => described.key);
  const examples: Record<string, Scalar[]> = {};
  const wanted = [
    ...(keys.includes('GET /PLATFORMAPI/prodRef/v1/products/{upc}') ? (['upc'] as const) : []),
    ...EXAMPLE_INPUTS.filter((input) => operations.some(({ parametersByInput }) => parametersByInput.has(input))),
  ];
  for (const input of wanted) {
    const values = [...(found.get(input) ?? [])];
    if (values.length > 0) examples[input] = values;
    addUndecided(
      draftNotes,
      ['examples', input],
      values.length > 0
        ? `the description shows ${values.slice(0, 4).join(', ')}; remove the # above if the service has ${values.length > 1 ? 'them' : 'it'}`
        : 'the description shows none',
    );
  }
  return examples;
}
