/** The catalogue of rules as a whole. */
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS, openingById, STATEMENTS } from '../src/contract/index.ts';
import { loadProfile } from '../src/profile/load.ts';
import { declarationsOf } from '../src/rule/declarations.ts';
import { sourceNames } from '../src/rule/index.ts';
import { isLater, RULE_SET_VERSIONS } from '../src/rule/rule-set.ts';
import { SERVED_ONLY } from '../src/rule/served-only.ts';
import { version } from '../src/version.ts';
import { RULES, ruleOf } from './index.ts';

test('ids, statements and bases are pinned: an id is never reused for something else', () => {
  expect(
    RULES.map(({ id, statement, basis, since }) => `${id} · ${statement} · ${basis} · ${since}`).sort(),
  ).toMatchSnapshot();
});

test('the current rule set is that of this version, and a pin of it pins nothing', () => {
  const current = version().replace(/-.*/, '');
  expect(RULE_SET_VERSIONS.at(-1)).toBe(current);
  for (const { since } of RULES) {
    expect(isLater(since, RULE_SET_VERSIONS.at(-1))).toBe(false);
    expect(isLater(since, undefined)).toBe(false);
  }
  expect(isLater('0.2.0', '0.1.0')).toBe(true);
});

test('ids are unique and found again', () => {
  expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
  for (const rule of RULES) expect(ruleOf(rule.id)).toBe(rule);
});

test('each rule that a file exports is in the index.ts of its group', async () => {
  const files = globSync('*/*.ts', { cwd: import.meta.dirname }).filter((file) => !/\.(test|conformance)\./.test(file));
  const unlisted: string[] = [];
  for (const file of files)
    for (const each of Object.values((await import(`./${file}`)) as Record<string, unknown>))
      if (typeof each === 'object' && each !== null && 'judge' in each && !RULES.some((rule) => rule === each))
        unlisted.push(`suites/${file}: ${String((each as { id?: string }).id)}`);
  expect(unlisted).toEqual([]);
  expect(files.length).toBeGreaterThan(RULES.length / 10);
});

test('a rule of 0.2.0 or later says which legal server looks most like the violation', () => {
  const silent = RULES.filter(({ since, looksLike }) => since !== '0.1.0' && !looksLike);
  expect(silent.map(({ id }) => id)).toEqual([]);
});

test('a rule that judges nothing although its openings are filled names the promise that it needs', async () => {
  const { data, bodySchemas: _, ...more } = await loadProfile('reference');
  const operations = Object.entries(data.operations ?? {}).map(([key, { statuses: _, ...each }]) => [key, each]);
  const declarations = declarationsOf({ ...more, data: { ...data, operations: Object.fromEntries(operations) } });
  const silent = RULES.filter(({ subjects, needs, probe }) =>
    subjects.every(
      (subject) =>
        Object.keys(probe(subject, declarations)).length === 0 &&
        needs(subject).every((need) =>
          [need].flat().some((id) => declarations.isFilled(id) && !openingById(id).optional),
        ),
    ),
  );
  expect(silent.length).toBeGreaterThan(5);
  expect(silent.filter(({ promise }) => promise === undefined).map(({ id }) => id)).toEqual([]);
});

test('every observable statement has a rule', () => {
  const cited = new Set<string>(RULES.map((rule) => rule.statement));
  expect(STATEMENTS.filter((each) => each.observable && !cited.has(each.id)).map((each) => each.id)).toEqual([]);
});

test('every operation has a content rule, or is known to be served only', () => {
  const withContent = new Set<string>(
    RULES.filter((rule) => !rule.id.startsWith('every.')).flatMap((rule) => rule.subjects),
  );
  const without = OPERATIONS.filter((each) => !withContent.has(each.key)).map((each) => each.name);
  expect(without).toEqual(Object.keys(SERVED_ONLY));
});

test('steps that draw from another name one that is there', async () => {
  const declarations = declarationsOf(await loadProfile('reference'));
  for (const rule of RULES) {
    for (const subject of rule.subjects) {
      const steps = rule.probe(subject, declarations);
      for (const step of Object.values(steps)) {
        for (const before of [...(step.each ? sourceNames(step.each) : []), ...(step.after ?? [])]) {
          expect(Object.keys(steps), `${rule.id} on ${subject}`).toContain(before);
        }
        for (const from of step.each?.fold ? sourceNames(step.each) : [])
          expect(Object.keys(steps[from]?.folds ?? {}), rule.id).toContain(step.each?.fold);
      }
    }
  }
});

test('steps that read the responses of all rules send a valid request: a delta has a window', async () => {
  const declarations = declarationsOf(await loadProfile('soap'));
  const steps = RULES.flatMap(({ id, subjects, probe }) =>
    subjects
      .filter((subject) => subject.endsWith('/updateProducts'))
      .flatMap((subject) => Object.values(probe(subject, declarations)).map((each) => ({ id, each }))),
  ).filter(({ each }) => each.fromAllRules && each.operation.endsWith('/updateProducts'));
  expect(steps.filter(({ each: { inputs = {} } }) => !('window' in inputs)).map(({ id }) => id)).toEqual([]);
  expect(steps.length).toBeGreaterThan(1);
});
