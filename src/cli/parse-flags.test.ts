import { describe, expect, test } from 'vitest';
import { selectionOf, targetBaseUrl } from '../commands/selection.ts';
import { flagParts } from '../config/flag.ts';
import { DEFAULT_SAMPLING } from '../contract/index.ts';
import { UsageError } from '../usage-error.ts';
import { numberOf, parse } from './parse-flags.ts';
import { SELECTION_FLAGS } from './usage/run.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

/** Returns the message of a refused command line; fails if it is not refused by a UsageError. */
function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

const select = (...args: string[]) => selectionOf(parse(args, SELECTION_FLAGS).values);

describe('flags', () => {
  test('are taken apart, repeated ones collected', () => {
    expect(parse(['--group', 'A', '--group=B', '--profile', 'x'], SELECTION_FLAGS).values).toEqual({
      group: ['A', 'B'],
      profile: 'x',
    });
    expect(parse(['word'], SELECTION_FLAGS, 1).positionals).toEqual(['word']);
  });

  test.each<[string, string[], number, RegExp]>([
    ['an unknown one', ['--bogus'], 0, /--bogus/],
    ['a short one with its value', ['-xhunter2'], 0, /^there is no flag -x here/],
    ['a stray word', ['http://host'], 0, /http:\/\/host/],
    ['a word too many', ['one', 'two'], 1, /unexpected word “two”/],
  ])('%s is refused in one sentence with the flags there are', (_, args, words, says) => {
    const message = refusalOf(() => parse(args, SELECTION_FLAGS, words));
    expect(message).toMatch(says);
    const flags = Object.keys(SELECTION_FLAGS).map((key) => `--${flagParts(key).name}`);
    expect(message).toContain(`flags here: ${flags.join(' ')}`);
  });

  test.each([
    ['one without its value', ['--group'], '--group needs a value'],
    [
      'one whose value is another flag',
      ['--profile', '--group', 'A'],
      '--profile needs a value; write --profile=VALUE if the value begins with a hyphen',
    ],
    ['a value of a flag without one', ['--simulator=yes'], '--simulator takes no value: write --simulator alone'],
  ])('%s is refused', (_, args, says) => {
    expect(refusalOf(() => parse(args, SELECTION_FLAGS))).toBe(says);
  });

  test('a value may begin with a hyphen after an equals sign, and may be a single hyphen', () => {
    expect(parse(['--profile=-x', '--rule', '-'], SELECTION_FLAGS).values).toEqual({ profile: '-x', rule: ['-'] });
  });

  test.each([
    ['--base-uri', '--base-url'],
    ['--url', '--base-url'],
    ['--profil=x', '--profile'],
    ['-safety', '--safety'],
  ])('%s is refused with the flag that is probably meant', (word, flag) => {
    expect(refusalOf(() => parse([word], SELECTION_FLAGS))).toBe(
      `there is no flag ${word.split('=')[0]} here (did you mean ${flag}?)`,
    );
  });

  test.each([
    ['--profile', ['--profile', 'a', '--profile', 'b']],
    ['--safety', ['--safety=read', '--group', 'A', '--safety=all']],
  ])('%s given twice is refused: the last one would replace the first silently', (flag, args) => {
    expect(refusalOf(() => parse(args, SELECTION_FLAGS))).toBe(
      `${flag} is given 2 times, but only one value can count: give it once`,
    );
  });
});

describe('a selection', () => {
  test('reads only where a service is named, and sends all to the simulator', () => {
    expect(select()).toEqual({ safety: 'all', sampling: DEFAULT_SAMPLING });
    expect(select('--base-url', 'https://host').safety).toBe('read');
    expect(select('--base-url', 'https://host', '--safety', 'write').safety).toBe('write');
    expect(select('--safety', 'job').safety).toBe('job');
  });

  test('takes groups one by one or in one list', () => {
    expect(select('--group', 'A', '--group', 'C').groups).toEqual(['A', 'C']);
    expect(select('--group', 'A, C,D').groups).toEqual(['A', 'C', 'D']);
  });

  test('takes operations by their key and rules by their id', () => {
    expect(select('--operation', BULK, '--rule', 'every.served')).toMatchObject({
      safety: 'all',
      operations: [BULK],
      rules: ['every.served'],
    });
  });

  test('takes the depth and the seed of the draws', () => {
    expect(select('--depth', 'quick').sampling).toEqual({ depth: 'quick', seed: 1 });
    expect(select('--sample-seed', '0').sampling).toEqual({ depth: 'standard', seed: 0 });
    const seeds = [1, 2, 3].map(() => select('--sample-seed', 'auto').sampling?.seed);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  test.each<[string, string[], RegExp]>([
    ['an unknown depth', ['--depth', 'deep'], /--depth deep: allowed are quick, standard, thorough/],
    ['a depth every object has', ['--depth', 'length'], /--depth length: allowed are/],
    [
      'a seed that is no number',
      ['--sample-seed', '1.5'],
      /--sample-seed 1.5: a whole number from 0 to 4294967295, or auto/,
    ],
    ['a seed that is too great', ['--sample-seed', '4294967296'], /a whole number from 0/],
    ['an unknown group', ['--group', 'E'], /--group E: allowed are A, B, C, D/],
    ['a group in lower case', ['--group', 'c'], /allowed are A, B, C, D/],
    ['an empty group', ['--group', ''], /allowed are A, B, C, D/],
    ['a name every object has', ['--group', 'toString'], /--group toString/],
    ['an unknown safety class', ['--safety', 'none'], /--safety none: allowed are read, job, write, all/],
    ['a class that is no step of the ladder', ['--safety', 'unclear'], /allowed are read, job, write, all/],
    ['a safety every object has', ['--safety', 'constructor'], /--safety constructor/],
    [
      'an operation without its method',
      ['--operation', '/webservices/drive'],
      /did you mean “POST \/webservices\/drive”/,
    ],
    [
      'an operation in another case',
      ['--operation', 'get /webservices/testservice'],
      /did you mean “GET \/webservices\/testService”/,
    ],
    ['an operation far from all', ['--operation', 'GET /orders'], /no such operation; write it/],
    [
      'a mistyped rule',
      ['--rule', 'upc-12-digit'],
      /no rule “upc-12-digit” \(did you mean “C\.upc-12-digits”\?\); mdwi rules/,
    ],
    ['a group without the operation', ['--group', 'D', '--operation', BULK], /select no check together/],
    ['a rule of another group', ['--group', 'D', '--rule', 'C.upc-12-digits'], /select no check together/],
    [
      'a pattern that no rule matches',
      ['--rule', 'C.dleta-*'],
      /no rule matches “C\.dleta-\*” \(did you mean “C\.delta-\*”\?\)/,
    ],
    ['rules that are all skipped', ['--rule', 'C.upc-12-digits', '--skip-rule', 'C.*'], /select no check together/],
    ['an unknown rule', ['--rule', 'no.such'], /--rule: there is no rule “no\.such”; mdwi rules lists them/],
  ])('of %s is refused', (_, args, says) => {
    expect(refusalOf(() => select(...args))).toMatch(says);
  });
});

describe('a target', () => {
  const target = (...args: string[]) => targetBaseUrl(parse(args, SELECTION_FLAGS).values);

  test('is the service named, or the simulator where nothing means a service', () => {
    expect(target('--base-url', 'https://host/', '--profile', 'acme.yaml', '--safety', 'job')).toBe('https://host');
    expect(target()).toBeUndefined();
    expect(target('--group', 'C', '--profile', 'xml')).toBeUndefined();
    expect(target('--simulator', '--profile', 'acme.yaml', '--safety', 'read')).toBeUndefined();
  });

  test.each<[string, string[], RegExp]>([
    [
      'a profile file alone',
      ['--profile', 'acme.yaml'],
      /^the profile acme\.yaml is given without a target: give --base-/,
    ],
    [
      'a path that ends like a bundled profile',
      ['--profile', './xml'],
      /^the profile \.\/xml is given without a target/,
    ],
    ['a safety class alone', ['--safety', 'read'], /^the safety class read is given without a target: give --base-url/],
    ['a safety class with a bundled profile', ['--safety', 'all', '--profile', 'xml'], /without a target/],
    ['an empty address', ['--base-url', ''], /^the base address is empty: give --base-url URL/],
    ['a blank address', ['--base-url', ' ', '--profile', 'acme.yaml'], /^the base address is empty/],
    ['a service and the simulator', ['--base-url', 'https://host', '--simulator'], /only one of them/],
  ])('is refused for %s', (_, args, says) => {
    expect(refusalOf(() => target(...args))).toMatch(says);
  });
});

describe('a whole number', () => {
  test('is taken within its bounds, the bounds among them', () => {
    expect(numberOf('port', undefined, 8080, 0, 65535)).toBe(8080);
    expect(numberOf('port', '0', 8080, 0, 65535)).toBe(0);
    expect(numberOf('port', '65535', 8080, 0, 65535)).toBe(65535);
  });

  test.each(['-1', '65536', '1.5', '1e3', '0x10', ' 7', '', 'many', '٣', '99999999999999999999'])(
    '%j is refused',
    (text) => {
      expect(refusalOf(() => numberOf('port', text, 8080, 0, 65535))).toBe(
        `--port ${text}: a whole number from 0 to 65535 is needed`,
      );
    },
  );
});
