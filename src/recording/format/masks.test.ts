import { expect, test } from 'vitest';
import { joinMasks, type Mask, placesFor } from './masks.ts';

test('a place outside lists that operations share is masked for all; requests for no operation have separate masks', () => {
  const [A, B] = ['GET /webservices/testService', 'GET /PLATFORMAPI/prodRef/v1/allCategories'] as const;
  const masks: Mask[] = [
    { operation: B, where: '$.meta.at' },
    { operation: A, where: '$.meta.at' },
    { operation: A, where: '$.rows[*].t' },
    { operation: B, where: '$.rows[*].t' },
    { operation: 'elsewhere', where: '$.path' },
  ];
  const joined = joinMasks(masks, masks);
  expect(joined.map(({ operation, where }) => `${operation} ${where}`)).toEqual([
    '* $.meta.at',
    `${B} $.rows[*].t`,
    `${A} $.rows[*].t`,
    'elsewhere $.path',
  ]);
  expect([...placesFor(joined, A)]).toEqual(['$.meta.at', '$.rows[*].t']);
  expect([...placesFor(joined, undefined)]).toEqual(['$.meta.at', '$.path']);
});
