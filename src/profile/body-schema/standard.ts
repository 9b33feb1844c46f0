/** Body schemas that are values of a TypeScript profile: zod and other implementations of Standard Schema. */
import type { z } from 'zod';
import { firstOfEach } from '../../first-of-each.ts';
import { sentenceOfIssue } from '../zod-issue-sentences.ts';
import { demandOf } from './breaches.ts';
import type { BodySchema, SchemaBreach, StandardSchema } from './types.ts';

/**
 * Wraps a Standard Schema as a body schema. Its output value is ignored; only its issues are used.
 * @example compileStandard(z.object({ items: z.array(z.unknown()) })).check({}) // one breach, at ['items']
 */
export function compileStandard(schema: StandardSchema): BodySchema {
  const standard = schema['~standard'];
  const breachesOf = ({ issues }: Awaited<ReturnType<typeof standard.validate>>): readonly SchemaBreach[] =>
    firstOfEach(
      (issues ?? []).map((issue) => {
        const path = (issue.path ?? []).map((step) => {
          const key = typeof step === 'object' ? step.key : step;
          return typeof key === 'number' ? key : String(key);
        });
        const keyword = typeof issue.code === 'string' ? issue.code : standard.vendor;
        return {
          path,
          keyword,
          demand: demandOf(path, [keyword]),
          // Zod's messages are reworded; messages of other libraries are used unchanged.
          expected: standard.vendor === 'zod' ? sentenceOfIssue(issue as z.core.$ZodIssue) : issue.message,
        };
      }),
      ({ demand }) => demand,
    );
  return {
    name: `the ${standard.vendor} schema`,
    check(value) {
      const result = standard.validate(value);
      return result instanceof Promise ? result.then(breachesOf) : breachesOf(result);
    },
  };
}
