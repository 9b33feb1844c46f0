import { expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { catalogueIds } from './catalogue-walk.ts';
import { declarationsOf } from './declarations.ts';
import type { Reading, Row } from './index.ts';

const idsOf = (examples: string, listed: readonly (string | number)[]) => {
  const profile = parseProfile(`{ name: t, examples: { catalogueId: ${examples} } }`, 't.yaml');
  const rows: Row[] = listed.map((id) => ({ id }));
  const reading: Reading = {
    exchange: '#1',
    operation: 'POST /data-access/v1/Catalogues',
    inputs: {},
    head: { status: 200, reasonPhrase: '', headers: [] },
    folds: { items: { rows } },
  };
  return catalogueIds(declarationsOf(profile), [reading]);
};

test('the examples come first, then the catalogues that are only listed, each once', () => {
  expect(idsOf('[B, C]', ['A', 'B', 'C', 'D', 'b '])).toEqual(['B', 'C', 'A', 'D']);
  expect(idsOf('["5", "6"]', [5, 5, 6, 7])).toEqual(['5', '6', 7]);
  expect(idsOf('[A]', [])).toEqual(['A']);
});

test('an example that is not listed may be another name of a listed catalogue', () => {
  expect(idsOf('[retail]', ['1', '2'])).toEqual(['retail']);
});
