import { expect, test } from 'vitest';
import { usesColour } from './colour.ts';

const TERMINAL = { isTTY: true };
const PIPE = {};

test.each([
  ['a terminal', {}, TERMINAL, true],
  ['a pipe', {}, PIPE, false],
  ['a terminal without escape sequences', { TERM: 'dumb' }, TERMINAL, false],
  ['NO_COLOR', { NO_COLOR: '1' }, TERMINAL, false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, TERMINAL, true],
  ['FORCE_COLOR', { FORCE_COLOR: '1' }, PIPE, true],
  ['an empty FORCE_COLOR', { FORCE_COLOR: '' }, PIPE, true],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, TERMINAL, false],
  ['FORCE_COLOR=false', { FORCE_COLOR: 'false' }, TERMINAL, false],
  ['FORCE_COLOR before NO_COLOR', { FORCE_COLOR: '3', NO_COLOR: '1' }, PIPE, true],
])('colours with %s', (_, environment, stream, expected) => {
  expect(usesColour(environment, stream)).toBe(expected);
});
