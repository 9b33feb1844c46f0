import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apply } from 'json-merge-patch';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { OPENINGS, PROMISES } from '../../contract/index.ts';
import { bundledPath } from '../../profile/bundled.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import { describeNewKeys, factOf, hasKey, NEW_KEYS, type NewKey } from './new-keys.ts';

const KEYS = Object.keys(NEW_KEYS) as NewKey[];
const root = join(import.meta.dirname, '../../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const oldProfile = (name: string): string => `suites/__fixtures__/releases/0.1.0/${name}/profile.yaml`;

/** What the reference profile must say, too, so that a line is valid. */
const BESIDES = { authFor: { D: { scheme: 'bearer', token: 'd' } }, dataWeek: { refreshDate: 'newest' } };

test.each(KEYS)('the line of %s is valid, states it, and is then not proposed', (key) => {
  expect(hasKey(parse(NEW_KEYS[key]), key.split('.'))).toBe(true);
  const reference = apply(parse(readFileSync(bundledPath('reference.yaml'), 'utf8')), BESIDES);
  const stated = parseProfile(JSON.stringify(apply(reference, parse(NEW_KEYS[key]))), 'acme.yaml');
  expect(describeNewKeys(stated)).not.toContain(`  ${NEW_KEYS[key]}   #`);
});

test('each fact that no rule of 0.1.0 reads is a key', () => {
  const facts = OPENINGS.filter(({ optional, operation }) => optional && !operation).map(({ fill }) =>
    fill.replace(/^jobs\.\w+/, 'jobs.…'),
  );
  // Those that 0.1.0 knew.
  const known = [
    /^(statuses\.|markets\.|response\.paging)/,
    /^(dataWeek\.firstDay|catalogue\.connected)$/,
    /(required|schemas)$/,
  ];
  const promises = Object.keys(PROMISES).filter((name) => !known.some((each) => each.test(name)));
  expect(KEYS).toEqual(expect.arrayContaining([...facts, ...promises]));
});

test('docs/upgrade.md lists the keys', () => {
  const rows = KEYS.map((key) => {
    const { means, rules } = factOf(key);
    return `| \`${NEW_KEYS[key]}\` | ${means} | ${rules.map((id) => `\`${id}\``).join(', ')} |`;
  });
  expect(textOf('docs/upgrade.md')).toContain(
    ['| line | states | judged by |', '|---|---|---|', ...rows, ''].join('\n'),
  );
});

test('a profile of 0.1.0 gets the lines of the operations it describes', () => {
  const linesOf = (name: string) => describeNewKeys(parseProfile(textOf(oldProfile(name)), `${name}.yaml`)).split('\n');
  const [first, ...lines] = linesOf('kontrast');
  expect(first).toMatch(/^kontrast\.yaml could state more since 0\.2\.0/);
  expect(lines).toContain(
    '  jobs: { drive: { distinctIds: true } }   # whether each start of a job returns an id of its own (A.job-ids-distinct)',
  );
  // It implements A and B only, and has no data week.
  expect(lines.filter((line) => /^ {2}(delta|upc|figures|dataWeek|authSeparate)/.test(line))).toEqual([]);
  expect(linesOf('tinplate')).toContainEqual(expect.stringMatching(/^ {2}upc: \{ checkDigit: true \} {3}#/));
  expect(describeNewKeys(parseProfile('name: x', 'x.yaml'))).toBe('');
});
