import { describe, expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import type { Inputs } from '../profile/template.ts';
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
    () => drawn(...ids),
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

  test('where a response states it once beside rows of other values, such as a job id in a header', () => {
    const stated = [{ inputs: {}, folds: { items: [{ name: 'other' }] }, observation: { values: { id: ['job-1'] } } }];
    const declarations = declarationsOf(parseProfile('{ name: x }', 'x.yaml'));
    const once = { ...below, each: { ...below.each, max: 1 } } as Step;
    expect(stepInputs(once, () => stated as unknown as Reading[], declarations)).toEqual([{ dimension: 'job-1' }]);
  });

  describe('of a long list', () => {
    const ids = Array.from({ length: 30 }, (_, at) => `id${at}`);
    const namedIn = (seed: number, named: readonly Inputs[] = []) => {
      const declarations = declarationsOf(parseProfile('{ name: x }', 'x.yaml'), { depth: 'standard', seed });
      return stepInputs(below, () => drawn(...ids), declarations, named).map((each) => String(each.dimension));
    };

    test('in addition where a waiver names it, however many there are', () => {
      expect(namedIn(0, [{ dimension: 'id20' }, { dimension: 'gone' }])).toEqual([...ids.slice(0, 9), 'id20']);
      const missed = ids.find((id) => !namedIn(1).includes(id)) as string;
      expect(namedIn(1, [{ dimension: missed }])).toEqual([...namedIn(1), missed]);
    });

    test('by the seed, and at its beginning, its middle and its end', () => {
      expect(namedIn(1)).toHaveLength(9);
      expect(namedIn(1)).toEqual(expect.arrayContaining(['id0', 'id15', 'id29']));
      expect(namedIn(2)).not.toEqual(namedIn(1));
    });
  });
});
