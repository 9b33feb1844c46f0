import { expect, test } from 'vitest';
import type { Answer } from '../ask.ts';
import { namesMentioned } from './parameters.ts';

const refusal = (text: string) => ({ isSuccess: false, text }) as Answer;

test.each([
  ['target.dimension is missing', ['target.dimension', 'dimension']],
  ['consulta.catalogo es obligatorio', ['consulta.catalogo', 'catalogo']],
  ['Falta folio', ['folio']],
  ['KATALOG fehlt', ['KATALOG']],
  ['MSG=JOB REQUIRED', ['JOB']],
])('the refusal “%s” names %o', (text, names) => {
  expect(namesMentioned(refusal(text)).slice(0, names.length)).toEqual(names);
});

test('a success names nothing', () => {
  expect(namesMentioned({ isSuccess: true, text: 'catalogue is missing' } as Answer)).toEqual([]);
});
