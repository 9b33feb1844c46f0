import { expect, test } from 'vitest';
import { linePlaces } from '../binding/texts.ts';
import { formOf } from './body-forms.ts';

test.each([
  [{ json: { query: { catalogue: '{catalogueId}' } } }, 'query/catalogue'],
  [{ form: { cat: '{catalogueId}' } }, 'cat'],
  [{ json: {}, query: { cat: '{catalogueId}' } }, 'cat'],
  [{ json: {}, headers: { 'X-Cat': '{catalogueId}' } }, 'X-Cat'],
  [{ xml: '<ask><cat>{catalogueId}</cat></ask>' }, 'cat'],
  [{ xml: '<ask cat="{catalogueId}"/>' }, 'cat'],
])('the form of %o carries the same body again', (request, name) => {
  const { carry, names } = formOf(request);
  expect(names).toEqual(new Map([['catalogueId', name]]));
  expect(carry({ [name]: '{catalogueId}' })).toEqual(request);
});

test.each([
  [{ json: '{catalogueId}' }, '{catalogueId}'],
  [{ json: ['{catalogueId}'] }, ['{catalogueId}']],
])('the form of %o carries one value alike, and several in an array', (request, alone) => {
  const { carry, isPositional } = formOf(request);
  expect(isPositional).toBe(true);
  expect(carry({ catalogueId: '{catalogueId}' })).toEqual({ json: alone });
  expect(carry({ catalogueId: 1, level: 2 })).toEqual({ json: [1, 2] });
});

test('an XML body has no member whose name XML forbids', () => {
  expect(formOf({ xml: '<ask cat="{catalogueId}"/>' }).carry({ a: '1', 'b c': '2' })).toEqual({ xml: '<ask a="1"/>' });
});

test('the values of lines are found by the key before them', () => {
  const places = linePlaces(['JOB=TP 17\r\nSTATE=NEW\r\n', 'STATE=DONE\nJOB=TP 18']);
  expect(places.map(({ names, cells }) => [names, cells])).toEqual([
    [['JOB'], ['TP 17', 'TP 18']],
    [['STATE'], ['NEW', 'DONE']],
  ]);
  expect(linePlaces(['job 17 is done'])).toEqual([]);
});
