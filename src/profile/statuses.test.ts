import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import { ProfileError } from './profile-error.ts';
import { statusesOf } from './statuses.ts';

const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const of = (top: string, own = '{}') =>
  statusesOf(
    parseProfile(`name: t\nstatuses: ${top}\noperations: { "${LOOKUP}": { statuses: ${own} } }`, 't.yaml', {}).data,
    LOOKUP,
  );

test.each([
  ['those at the top', of('{ unknown: [404] }'), { unknown: [404] }],
  [
    'an operation’s own before them',
    of('{ unknown: [404], tooMany: [420] }', '{ unknown: [410] }'),
    { unknown: [410], tooMany: [420] },
  ],
  [
    'a status means one thing',
    of('{ unauthorized: [403, 419] }', '{ unknown: [403] }'),
    { unauthorized: [419], unknown: [403] },
  ],
])('%s', (_, stated, expected) => {
  expect(stated).toEqual(expected);
});

test.each([
  ['a status that is none', '{ unknown: [40] }', /t\.yaml:2: statuses\.unknown\[0\]: .*200/],
  ['a success that turns away', '{ tooMany: [200] }', /statuses\.tooMany\[0\]: .*400/],
  ['both a result and a refusal', '{ unknown: [403], unauthorized: [403] }', /statuses: 403 cannot mean both/],
  [
    'another meaning',
    '{ gone: [410] }',
    /unknown key “gone”; allowed: unknown, malformed, missing, unauthorized, tooMany/,
  ],
])('%s is refused', (_, top, says) => {
  expect(() => of(top)).toThrow(ProfileError);
  expect(() => of(top)).toThrow(says);
});
