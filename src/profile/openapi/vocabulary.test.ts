/** Spellings of windows, names of figures, words in names. */
import { expect, test } from 'vitest';
import { figureFromName } from './figures.ts';
import { wordsOf } from './name-words.ts';
import { windowFromName, windowFromText } from './windows.ts';

test.each([
  ['1W', '1'],
  ['P4W', '4'],
  ['P28D', '4'],
  ['L13W', '13'],
  ['LAST_13_WEEKS', '13'],
  ['last week', '1'],
  ['LW', '1'],
  ['week_4', '4'],
  ['91d', '13'],
  ['one-week', '1'],
  ['THIRTEEN_WEEKS', '13'],
  ['04', '4'],
  ['52W', undefined],
  ['MONTH', undefined],
  ['P1M', undefined],
  ['4Q', undefined],
  ['tea', undefined],
])('the spelling %s', (spelling, window) => {
  expect(windowFromName(spelling)).toBe(window);
});

test.each([
  ['changes of the last 13 weeks', '13'],
  ['28 days back', '4'],
  ['the past week', '1'],
  ['a week', undefined],
])('the sentence %s', (sentence, window) => {
  expect(windowFromText(sentence)).toBe(window);
});

test.each([
  [['sales4Weeks'], 'sales4Weeks'],
  [['figures', 'l12w'], 'sales12Weeks'],
  [['DOLLARS_52WK'], 'sales52Weeks'],
  [['Dollar Sales LY'], 'salesLastYear'],
  [['sales52WeeksYearAgo'], 'salesLastYear'],
  [['dollarPctChange'], 'percentChange'],
  [['$ % Chg'], 'percentChange'],
  [['yoy'], 'percentChange'],
  [['units4w'], undefined],
  [['unitSalesLy'], undefined],
  [['sales4WeeksYearAgo'], undefined],
  [['pctChange12w'], undefined],
  [['sales13Weeks'], undefined],
  [['avgPrice52w'], undefined],
  [['salesYtd'], undefined],
])('the figure %o', (names, figure) => {
  expect(figureFromName(names)?.figure).toBe(figure);
});

test.each([
  ['salesLast4Weeks', 'sales last 4 weeks'],
  ['UPCCode', 'upc code'],
  ['Sub-Category_name', 'sub category name'],
  ['L4W', 'l 4 w'],
])('the words of %s', (name, words) => {
  expect(wordsOf(name).join(' ')).toBe(words);
});
