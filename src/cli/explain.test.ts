import { expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { PROMISES } from '../contract/index.ts';
import { explanationOf } from './explain.ts';

const promising = RULES.filter(({ promise }) => promise !== undefined);

test.each(promising.map((rule) => [rule.id, rule] as const))(
  '%s is explained with what it sends and the promise that it needs',
  async (_, rule) => {
    const text = await explanationOf(rule);
    expect(text).toMatch(/What is sent \(for .*\):\n {2}\S/);
    expect(text).toContain(
      `What it needs in a profile:\n  ${rule.promise} – ${PROMISES[rule.promise ?? 'authCovers']}`,
    );
    expect(text).not.toMatch(/^ {2}nothing$/m);
  },
);
