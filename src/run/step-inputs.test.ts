import { describe, expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { declarationsOf } from '../rule/declarations.ts';
import type { Reading, Step } from '../rule/index.ts';
import { stepInputs } from './step-inputs.ts';

const GROUPS = 'POST /data-access/v1/Catalogue/Dimension/Groups';
const below: Step = {
  operation: GROUPS,
  accepts: 'content',
  each: { from: 'above', fold: 'items', as: { id: 'dimension' }, max: 9 },
} as Step;
const drawn = (...ids: string[]) =>
  [{ inputs: { catalogueId: 7 }, folds: { items: ids.map((id) => ({ id })) } }] as unknown as Reading[];
const asked = (examples: string, ...ids: string[]) =>
  stepInputs(
    below,
    drawn(...ids),
    declarationsOf(parseProfile(`{ name: x, examples: { ${examples} } }`, 'x.yaml')),
  ).map((each) => each.dimension);

describe('what is drawn from a list is asked for', () => {
  test('as a number where all examples are numbers, since a JSON body shows the difference', () => {
    expect(asked('dimension: [1, 2]', '1', '12')).toEqual([1, 12]);
  });

  test('as the text that was read where an example is a text, there is none, or digits would be lost', () => {
    expect(asked('dimension: [1, "2"]', '1')).toEqual(['1']);
    expect(asked('measure: [1]', '1')).toEqual(['1']);
    expect(asked('dimension: [1]', '007', 'x', '12345678901234567890')).toEqual(['007', 'x', '12345678901234567890']);
  });

  test('in addition where a waiver names it, however many there are', () => {
    const ids = Array.from({ length: 30 }, (_, at) => `id${at}`);
    const declarations = declarationsOf(parseProfile('{ name: x }', 'x.yaml'));
    const inputs = stepInputs(below, drawn(...ids), declarations, [{ dimension: 'id20' }, { dimension: 'gone' }]);
    expect(inputs.map((each) => each.dimension)).toEqual([...ids.slice(0, 9), 'id20']);
  });
});
