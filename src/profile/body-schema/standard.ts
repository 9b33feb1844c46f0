/** Body schemas given as values of a TypeScript profile: zod and whatever else speaks Standard Schema. */
import type { BodySchema, SchemaBreach, StandardSchema } from './types.ts';

const MAX_BREACHES = 10;

/**
 * A Standard Schema as a body schema. What it makes of the value is not looked at, only what it objects to.
 * @example compileStandard(z.object({ items: z.array(z.unknown()) })).check({}) // one breach, at ['items']
 */
export function compileStandard(schema: StandardSchema): BodySchema {
  const standard = schema['~standard'];
  const breachesOf = ({ issues }: Awaited<ReturnType<typeof standard.validate>>): SchemaBreach[] =>
    (issues ?? []).slice(0, MAX_BREACHES).map(({ message, path, code }) => ({
      path: (path ?? []).map((step) => {
        const key = typeof step === 'object' ? step.key : step;
        return typeof key === 'number' ? key : String(key);
      }),
      keyword: typeof code === 'string' ? code : standard.vendor,
      expected: message,
    }));
  return {
    name: `the ${standard.vendor} schema`,
    check(value) {
      const result = standard.validate(value);
      return result instanceof Promise ? result.then(breachesOf) : breachesOf(result);
    },
  };
}
