import { expect, test } from 'vitest';
import type { Answer } from '../ask.ts';
import { inParameters, namesMentioned, pathOfParameter } from './parameters.ts';

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

test('a parameter named X-… is a header, and replaces what carries the same input', () => {
  const request = { query: { w: '{window}', all: 'true' }, headers: { Accept: 'text/csv' } };
  const sent = inParameters(request)(['X-Span'], 'window');
  expect(sent).toEqual({ query: { all: 'true' }, headers: { Accept: 'text/csv', 'X-Span': '{window}' } });
  const operation = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
  expect(pathOfParameter(operation, sent, 'window')).toEqual(['operations', operation, 'request', 'headers', 'X-Span']);
  expect(pathOfParameter(operation, sent, 'category')).toEqual(['operations', operation, 'request']);
});
