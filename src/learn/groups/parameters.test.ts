import { expect, test } from 'vitest';
import type { Answer, Asker } from '../ask.ts';
import { findName, inParameters, namesMentioned, pathOfParameter } from './parameters.ts';

const refusal = (text: string) => ({ isSuccess: false, text }) as Answer;

test.each([
  ['target.dimension is missing', ['target.dimension', 'dimension']],
  ['consulta.catalogo es obligatorio', ['consulta.catalogo', 'catalogo']],
  ['Falta folio', ['folio']],
  ['KATALOG fehlt', ['KATALOG']],
  ['MSG=JOB REQUIRED', ['JOB']],
  ['Puudub element: laius', ['laius']],
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

/** An asker of a service that answers a request by its query parameters, and the parameters that were sent. */
function askerOf(answerTo: (names: readonly string[]) => readonly [status: number, text: string]) {
  const sent: string[][] = [];
  const unknown = new Set<string>();
  const asker = {
    unknownNames: () => unknown,
    async ask(_: string, { query }: { query: object }) {
      const names = Object.keys(query);
      sent.push(names);
      const [status, text] = answerTo(names);
      return { status, text, isSuccess: status === 200 };
    },
  };
  return { asker: asker as unknown as Asker, sent };
}

const search = (names: string[][], usual: Partial<Answer>) => ({
  ...{ operation: 'GET /PLATFORMAPI/prodRef/v1/updateProducts' as const, input: 'window' as const, names, value: 13 },
  ...{ carrier: inParameters({}), usual: usual as Answer, hasEffect: () => true },
});

test('a name that a service calls unknown is not sent again with another value', async () => {
  const { asker, sent } = askerOf(([name = '']) => [400, `Unbekannter Parameter: ${name}`]);
  const usual = { isSuccess: true, status: 200, text: '' };
  expect(await findName(asker, search([['weeks', 'span']], usual))).toBeUndefined();
  const { length } = sent;
  expect(await findName(asker, { ...search([['weeks', 'span']], usual), value: 'P13W' })).toBeUndefined();
  expect(sent).toHaveLength(length);
});

test('a name that a refusal demands is found by a refusal of its value', async () => {
  const { asker } = askerOf((names) => (names.includes('fenster') ? [404, 'L-1 fehlt'] : [400, 'fenster fehlt']));
  const usual = { isSuccess: false, status: 400, text: 'fenster fehlt' };
  expect(await findName(asker, search([['weeks']], usual))).toBe('fenster');
});
